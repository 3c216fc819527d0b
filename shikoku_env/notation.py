"""Moves and states of Shikoku as text and plain values, both ways.

Reading a state back: what may be left out is filled in, what is given is checked, and a position that
the rules forbid is refused by the name of what is wrong.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from shikoku_env.phases import set_order
from shikoku_env.rules import CARDS, DEALT, MAX_PLAYERS, MIN_PLAYERS, TOP
from shikoku_env.state import OVER, PHASES, PLAY, SETUP, TAKE
from tabletop_env.game import NOBODY, Row, StateDict

_MOVE = re.compile(r"(play|take) ([1-9][0-9]?)")
_OUTCOME = re.compile(r"(deal|reveal) ([0-7]) ([1-9][0-9]?)")
_MAX_TURN = 9999


# -- moves ---------------------------------------------------------------------------------------


def action_text(game: Row, action: int) -> str:
    """``play 17`` or ``take 9``, by the phase."""
    return f"{'take' if game['phase'] == TAKE else 'play'} {action + 1}"


def read_action(game: Row, text: str) -> int:
    """The action that a move's text names in the phase under way."""
    match = _MOVE.fullmatch(text)
    if not match or int(match[2]) > CARDS:
        raise ValueError(
            f"{text!r} is no move, expected 'play 1' … 'play 33' or 'take 1' … 'take 33'"
        )
    verb = PHASES[int(game["phase"])]
    if match[1] != verb:
        raise ValueError(f"{text!r} does not fit phase {verb}")
    return int(match[2]) - 1


def outcome_text(game: Row, outcome: int) -> str:
    """``deal 2 17`` or ``reveal 2 17``: whose card is due follows from the row."""
    verb, seat = chance_event(game)
    return f"{verb} {seat} {outcome + 1}"


def read_outcome(game: Row, text: str) -> int:
    """The outcome that a chance entry names; it must be of the event due."""
    match = _OUTCOME.fullmatch(text)
    if not match or int(match[3]) > CARDS:
        raise ValueError(
            f"{text!r} is no chance event, expected 'deal SEAT CARD' or 'reveal SEAT CARD'"
        )
    verb, seat = chance_event(game)
    if (match[1], int(match[2])) != (verb, seat):
        raise ValueError(f"{text!r} is not due, expected '{verb} {seat} CARD'")
    return int(match[3]) - 1


def chance_event(game: Row) -> tuple[str, int]:
    """The verb and the seat of the chance event due."""
    players = int(game["players"])
    if game["phase"] != SETUP:
        return "deal", int(game["order"][players - 1])
    dealt = CARDS - int(game["deck"]).bit_count()
    seat = dealt - DEALT * players
    return ("reveal", seat) if seat >= 0 else ("deal", dealt // DEALT)


# -- states, written -----------------------------------------------------------------------------


def state_dict(game: Row) -> StateDict:
    """Shikoku's own keys of a state."""
    seats = range(int(game["players"]))
    return {
        "turn": int(game["turn"]),
        "steps": [int(game["steps"][s]) for s in seats],
        "hands": [cards_of(game["hands"][s]) for s in seats],
        "known": [cards_of(game["known"][s]) for s in seats],
        "row": [[card, int(game["owner"][card - 1])] for card in cards_of(game["row"])],
        "previous_row": [
            [card, int(game["owner"][card - 1])] for card in cards_of(game["previous_row"])
        ],
        "order": [int(game["order"][s]) for s in seats],
        "deck": int(game["deck"]).bit_count(),
        "removed": cards_of(game["removed"]),
    }


def cards_of(members: Any) -> list[int]:
    """The cards of a set, ascending."""
    return [card for card in range(1, CARDS + 1) if int(members) >> (card - 1) & 1]


# -- states, read --------------------------------------------------------------------------------


def read_state(state: StateDict, game: Row) -> None:
    """Fill a blank row from a state; ``ValueError`` says what contradicts the rules."""
    players = int(game["players"])
    phase = read_phase(state)
    game["phase"] = phase
    game["turn"] = integer("turn", state.get("turn", 0), 0, _MAX_TURN)
    game["steps"][:players] = read_steps(state, players)
    free = set(range(1, CARDS + 1))
    hands, known = (read_hands(state, name, players) for name in ("hands", "known"))
    for seat in range(players):
        claim(free, hands[seat], f"the hand of player_{seat}")
        for card in known[seat]:
            if card not in hands[seat]:
                raise ValueError(f"known: card {card} is not in the hand of player_{seat}")
            if known[seat].count(card) > 1:
                raise ValueError(f"known: card {card} of player_{seat} is given twice")
        game["hands"][seat], game["known"][seat] = as_set(hands[seat]), as_set(known[seat])
    for name in ("row", "previous_row"):
        cards, seats = read_row(state, name, players)
        claim(free, cards, name)
        game[name] = as_set(cards)
        game["owner"][[card - 1 for card in cards]] = seats
    removed = card_list("removed", state.get("removed", []))
    claim(free, removed, "removed")
    game["removed"] = as_set(removed)
    game["deck"] = as_set(free)
    if "deck" in state and integer("deck", state["deck"], 0, CARDS) != len(free):
        raise ValueError(f"deck is {state['deck']}, but {len(free)} cards are nowhere else")
    check_rows(game)
    if "turn" not in state and not fits_turn(state, game, 0) and fits_turn(state, game, 1):
        game["turn"] = 1  # what is missing is the first turn that fits; later ones are as round 1
    settle_order(game)
    settle_seat(game)
    check_steps(game)
    check_hands(game)


def read_phase(state: StateDict) -> int:
    word = state.get("phase", "play")
    if word not in ("play", "take", "over"):
        raise ValueError(f"phase is {word!r}, expected 'play', 'take' or 'over'")
    if state.get("truncated", False) is not False:
        raise ValueError(f"truncated is {state['truncated']!r}, but Shikoku is never truncated")
    return PHASES.index(word)


def read_steps(state: StateDict, players: int) -> list[int]:
    if "steps" not in state:
        raise ValueError("steps is missing: a state needs the step of every pilgrim")
    steps = a_list("steps", state["steps"])
    if len(steps) != players:
        raise ValueError(f"steps has {len(steps)} entries, expected {players}, one a seat")
    return [integer("steps", step, 1, TOP) for step in steps]


def read_hands(state: StateDict, name: str, players: int) -> list[list[int]]:
    """Lists of cards seat by seat; entries missing at the end are empty."""
    hands = a_list(name, state.get(name, []))
    if len(hands) > players:
        raise ValueError(f"{name} has {len(hands)} entries, expected {players}, one a seat")
    missing: list[list[int]] = [[] for _ in range(players - len(hands))]
    return [card_list(name, cards) for cards in hands] + missing


def read_row(state: StateDict, name: str, players: int) -> tuple[list[int], list[int]]:
    """The cards of a row and the seats that own them."""
    entries = a_list(name, state.get(name, []))
    if not all(isinstance(entry, list) and len(entry) == 2 for entry in entries):
        raise ValueError(f"{name} is {entries!r}, expected a list of [card, seat]")
    cards = card_list(name, [card for card, _ in entries])
    seats = [integer(f"seat in {name}", seat, 0, players - 1) for _, seat in entries]
    if len(set(seats)) != len(seats):
        raise ValueError(f"{name} has two cards of one seat: {entries!r}")
    if cards != sorted(cards):
        raise ValueError(f"{name} is {entries!r}, expected ascending cards")
    return cards, seats


def check_rows(game: Row) -> None:
    """Whether the rows have as many cards as the phase allows."""
    players, phase = int(game["players"]), int(game["phase"])
    row, previous = int(game["row"]).bit_count(), int(game["previous_row"]).bit_count()
    if phase == PLAY and row >= players:
        raise ValueError("row is complete in phase play, expected a seat that still has to play")
    if phase != PLAY and row != players:
        raise ValueError(f"row has {row} cards, expected {players} in phase {PHASES[phase]}")
    if phase != TAKE and previous != players:
        raise ValueError(f"previous_row has {previous} cards, expected one of each seat")
    if phase == TAKE and previous < 2:
        raise ValueError(f"previous_row has {previous} cards in phase take, expected 2 or more")


def fits_turn(state: StateDict, game: Row, turn: int) -> bool:
    """Whether what a state says of the turn order could be so in a certain round."""
    game["turn"] = turn
    settle_order(game)
    order = game["order"][: int(game["players"])].tolist()
    fits = state.get("order", order) == order
    if game["phase"] == PLAY:
        cards = cards_of(game["row"])
        played, due = order[: len(cards)], f"player_{order[len(cards)]}"
        fits &= {int(game["owner"][card - 1]) for card in cards} == set(played)
        fits &= state.get("to_act", due) == due
    game["turn"] = 0
    return fits


def settle_order(game: Row) -> None:
    """The turn order follows from a row (S3, S5)."""
    if game["phase"] == TAKE:
        set_order(game, True)
        return
    row = game["row"].copy()
    game["row"] = game["previous_row"]
    set_order(game, bool(game["turn"] > 0))
    game["row"] = row


def settle_seat(game: Row) -> None:
    """Who is to act, how many acted before, and whether the last seat drew."""
    players, phase = int(game["players"]), int(game["phase"])
    order = game["order"][:players].tolist()
    if phase == OVER:
        game["seat"] = NOBODY
        return
    if phase == PLAY:
        place = int(game["row"]).bit_count()
        for seat in order[place:]:
            if any(game["owner"][card - 1] == seat for card in cards_of(game["row"])):
                raise ValueError(f"row has a card of player_{seat}, whose turn is yet to come")
    else:
        place = players - int(game["previous_row"]).bit_count()
        held = [int(game["hands"][seat]).bit_count() for seat in order]
        game["drew"] = game["deck"] > 0 or held[-1] > held[place]
    game["place"] = place
    game["seat"] = order[place]


def check_steps(game: Row) -> None:
    """Somebody is on the pagoda's step when the game is over, and nobody before (S3, S6)."""
    players, phase = int(game["players"]), int(game["phase"])
    on_top = [seat for seat in range(players) if game["steps"][seat] == TOP]
    if phase == OVER and not on_top:
        raise ValueError(f"steps: nobody is on step {TOP}, so the game is not over")
    first_plays = phase == PLAY and game["turn"] == 0
    if phase != OVER and on_top and not first_plays:
        raise ValueError(f"steps: player_{on_top[0]} is on step {TOP}, so the game is over")


def check_hands(game: Row) -> None:
    """No hand is larger than a round allows, and who has to play has a card.

    Smaller hands are let through: a position may leave out what it does not care about.
    """
    players, phase = int(game["players"]), int(game["phase"])
    place = int(game["place"])
    for position, seat in enumerate(game["order"][:players].tolist()):
        acted = position < place
        full = phase == PLAY and not acted
        full |= phase == TAKE and (acted or (position == players - 1 and bool(game["drew"])))
        most, held = DEALT if full else DEALT - 1, int(game["hands"][seat]).bit_count()
        if held > most:
            raise ValueError(f"hands: player_{seat} holds {held} cards, expected at most {most}")
        if phase == PLAY and not acted and not held:
            raise ValueError(f"hands: player_{seat} has to play and holds no card")
        if phase == TAKE and full and not held:
            raise ValueError(f"hands: player_{seat} took or drew a card and holds none")


def as_set(cards: Any) -> np.uint64:
    """Cards as the bits of a uint64."""
    return np.uint64(sum(1 << (card - 1) for card in cards))


def claim(free: set[int], cards: list[int], where: str) -> None:
    """Take cards out of ``free``; a card that is gone already lies in two places."""
    for card in cards:
        if card not in free:
            raise ValueError(f"card {card} is in two places, one of them {where}")
        free.remove(card)


def card_list(name: str, cards: Any) -> list[int]:
    return [integer(f"card in {name}", card, 1, CARDS) for card in a_list(name, cards)]


def a_list(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{name} is {value!r}, expected a list")
    return value


def integer(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} is {value!r}, expected an integer in {low}..{high}")
    return value


def count_players(state: StateDict) -> int:
    """How many seats a state is about: one a step."""
    steps = state.get("steps")
    if not isinstance(steps, list) or not MIN_PLAYERS <= len(steps) <= MAX_PLAYERS:
        raise ValueError(f"steps is {steps!r}, expected {MIN_PLAYERS} to {MAX_PLAYERS} steps")
    return len(steps)
