"""The rules of Shikoku, in the order in which a round runs; rulings S1-S8.

    start -> deal -> play_card ... climb -> collect -> draw -> take_card ... -> next_round
                                      `-> end

Every function is a kernel over one row, called ``game`` here.
"""

from __future__ import annotations

from shikoku_env.rules import ALL_CARDS, DEALT, TOP, TWO_SIDED
from shikoku_env.state import OVER, PLAY, SETUP, TAKE
from tabletop_env.bits import ZERO, bit, has, lowest, nth, popcount, without_lowest
from tabletop_env.game import CHANCE, NOBODY
from tabletop_env.kernel import kernel
from tabletop_env.rng import chance_below, choice_below

# -- setup ---------------------------------------------------------------------------------------


@kernel
def start(game):
    """All pilgrims on step 1, all cards in the deck, the first deal due."""
    game["deck"] = ALL_CARDS
    for seat in range(game["players"]):
        game["steps"][seat] = 1
    game["phase"] = SETUP
    game["seat"] = CHANCE


@kernel
def deal(game, card):
    """Setup's next card: three to each hand, seat after seat, then one revealed a seat (S3)."""
    players = game["players"]
    number = popcount(ALL_CARDS ^ game["deck"])  # cards dealt before
    game["deck"] ^= bit(card)
    if number < DEALT * players:
        game["hands"][number // DEALT] |= bit(card)
        return
    seat = number - DEALT * players
    place_on_row(game, card, seat)
    advance(game, card)  # nobody is held back in setup (S3)
    if seat == players - 1:
        set_order(game, rotate=False)  # round 1 follows the sorted row as it stands (S3)
        game["previous_row"], game["row"] = game["row"], ZERO
        begin_play(game)


# -- phase 1: play a mantra card -----------------------------------------------------------------


@kernel
def begin_play(game):
    game["phase"] = PLAY
    game["place"] = 0
    game["seat"] = game["order"][0]


@kernel
def play_card(game, card):
    """The seat to act plays a card from its hand; the last play of a round makes pilgrims climb."""
    seat = game["seat"]
    game["hands"][seat] ^= bit(card)
    game["known"][seat] &= ~bit(card)
    place_on_row(game, card, seat)
    game["place"] += 1
    if game["place"] < game["players"]:
        game["seat"] = game["order"][game["place"]]
        return
    climb(game)
    if anyone_on_top(game):
        end(game)
    else:
        collect(game)


@kernel
def place_on_row(game, card, seat):
    game["row"] |= bit(card)
    game["owner"][card] = seat


# -- phase 2: go up the steps --------------------------------------------------------------------


@kernel
def climb(game):
    """All climb but the seats on the second card and, from five players on, the last but one (S4)."""
    players = game["players"]
    cards = game["row"]
    for position in range(players):
        held_back = position == 1 or (players >= TWO_SIDED and position == players - 2)
        if not held_back:
            advance(game, lowest(cards))
        cards = without_lowest(cards)


@kernel
def advance(game, card):
    """Move the pilgrim on ``card`` up by its icons, not beyond the pagoda."""
    seat = game["owner"][card]
    game["steps"][seat] = min(TOP, game["steps"][seat] + game["step_table"][card])


@kernel
def anyone_on_top(game):
    for seat in range(game["players"]):
        if game["steps"][seat] == TOP:
            return True
    return False


# -- phase 3: collect mantra cards ---------------------------------------------------------------


@kernel
def collect(game):
    """The row just played gives the turn order; its last seat draws, if there is a deck (S5)."""
    set_order(game, rotate=True)
    game["phase"] = TAKE
    game["place"] = 0
    game["drew"] = game["deck"] != ZERO
    game["seat"] = CHANCE if game["drew"] else game["order"][0]


@kernel
def set_order(game, rotate):
    """Turn order: the seats of the row by ascending card, its lowest moved last if ``rotate``."""
    players = game["players"]
    cards = game["row"]
    for position in range(players):
        place = (position - 1) % players if rotate else position
        game["order"][place] = game["owner"][lowest(cards)]
        cards = without_lowest(cards)


@kernel
def draw(game, card):
    """The last seat draws ``card`` from the deck, before the first take (S5)."""
    last = game["order"][game["players"] - 1]
    game["deck"] ^= bit(card)
    game["hands"][last] |= bit(card)
    game["seat"] = game["order"][0]


@kernel
def take_card(game, card):
    """The seat to act takes a card of the previous row; the last one left is settled at once (S5)."""
    give(game, card, game["seat"])
    game["place"] += 1
    last = game["players"] - 1
    if game["place"] < last:
        game["seat"] = game["order"][game["place"]]
        return
    left = lowest(game["previous_row"])
    if game["drew"]:
        game["removed"] |= bit(left)
    else:
        give(game, left, game["order"][last])
    next_round(game)


@kernel
def give(game, card, seat):
    """``seat`` gets a card of the previous row, and all see it (S8)."""
    game["previous_row"] ^= bit(card)
    game["hands"][seat] |= bit(card)
    game["known"][seat] |= bit(card)


@kernel
def next_round(game):
    game["previous_row"], game["row"] = game["row"], ZERO
    game["drew"] = 0
    game["turn"] += 1
    begin_play(game)


# -- the end -------------------------------------------------------------------------------------


@kernel
def end(game):
    game["phase"] = OVER
    game["seat"] = NOBODY


@kernel
def write_rewards(game, rewards):
    """+1 for the winners, -1 for all others (S6, S7)."""
    players = game["players"]
    lead, trail, second, second_last = 0, TOP + 1, 0, TOP + 1
    for seat in range(players):
        lead = max(lead, game["steps"][seat])
        trail = min(trail, game["steps"][seat])
    for seat in range(players):
        step = game["steps"][seat]
        if step < lead:
            second = max(second, step)
        if step > trail:
            second_last = min(second_last, step)
    for seat in range(players):
        step = game["steps"][seat]
        wins = step == second or (players >= TWO_SIDED and step == second_last)
        rewards[seat] = 1 if wins and step != TOP else -1


# -- what the doors ask for ----------------------------------------------------------------------


@kernel
def legal_cards(game):
    """The cards that the seat to act may play from its hand or take from the previous row."""
    return game["hands"][game["seat"]] if game["phase"] == PLAY else game["previous_row"]


@kernel
def apply(game, action):
    if game["phase"] == PLAY:
        play_card(game, action)
    else:
        take_card(game, action)


@kernel
def apply_chance(game, outcome):
    if game["phase"] == SETUP:
        deal(game, outcome)
    else:
        draw(game, outcome)


@kernel
def write_legal(game, mask):
    mask[:] = False
    cards = legal_cards(game)
    while cards != ZERO:
        mask[lowest(cards)] = True
        cards = without_lowest(cards)


@kernel
def write_chance(game, probabilities):
    """Every card of the deck is equally likely."""
    deck = game["deck"]
    for card in range(len(probabilities)):
        probabilities[card] = 1.0 / popcount(deck) if has(deck, card) else 0.0


@kernel
def sample_action(game):
    cards = legal_cards(game)
    count = popcount(cards)
    skipped = choice_below(game, count)
    for number in range(1, count):  # a loop of known length: the chip foresees its branches
        cards = without_lowest(cards) if number <= skipped else cards
    return lowest(cards)


@kernel
def sample_chance(game):
    return nth(game["deck"], chance_below(game, popcount(game["deck"])))


@kernel
def resample_hidden(game, seat):
    """Deal the cards that ``seat`` has never seen anew among the hands' hidden places and the deck.

    Every card out of sight has come from the deck unseen, and a player may play any card of a hand, so
    all such deals fit what was seen equally well (S8).
    """
    unseen = game["deck"]
    for other in range(game["players"]):
        if other != seat:
            unseen |= game["hands"][other] & ~game["known"][other]
    for other in range(game["players"]):
        if other != seat:
            places = popcount(game["hands"][other] & ~game["known"][other])
            game["hands"][other] = game["known"][other]
            for _ in range(places):
                card = nth(unseen, chance_below(game, popcount(unseen)))
                game["hands"][other] |= bit(card)
                unseen ^= bit(card)
    game["deck"] = unseen
