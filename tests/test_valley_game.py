"""The Valley as a game of the library: action numbers, observations, symmetries, policies, doors, records.

``tests/data/valley_golden.jsonl`` holds games as they were once written; when the rules, the random
streams or the format change on purpose, write it anew:

    python tests/test_valley_game.py > tests/data/valley_golden.jsonl

``tests/data/valley_perft.jsonl`` has positions with the numbers of their sequences of moves, which the
slow referee counted.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from helpers import position, refusal
from pettingzoo.test import api_test, seed_test
from valley_positions import made_up

from paiko_env import actions, board, observe, valley_greedy, valley_observe, valley_v0
from paiko_env.valley_actions import (
    ACTION_IMAGE,
    LAYOUT,
    NUM_ACTIONS,
    PLANES,
    RED_BLOCKS,
    action_planes,
    decode,
    encode,
)
from paiko_env.valley_game import VALLEY
from tabletop_env.cli import main
from tabletop_env.perft import divide, perft
from tabletop_env.policies import choose_actions, seat_policies

DATA = Path(__file__).parent / "data"
WHITE, BLACK, RED = "white_0", "black_0", "red_0"
COMMANDS = [
    '--seed 1 --full --options {"max_turns":5}',
    '--seed 2 --games 2 --options {"max_turns":60}',
    "--seed 5 --policy random,random,greedy",
    "--seed 7 --policy greedy",
]


def sound(rng, phases=()):
    """A made-up position that is none to be refused, of certain phases."""
    while True:
        state = made_up(rng)
        if state["phase"] in (phases or (state["phase"],)):
            try:
                position(VALLEY, state)
            except ValueError:
                continue
            return state


# -- action numbers ------------------------------------------------------------------------------


def test_paikos_numbers_stand_in_front_and_reds_behind():
    blocks = list(LAYOUT)
    assert blocks[: len(list(actions.LAYOUT))] == list(actions.LAYOUT)
    assert [block.name for block in blocks[-5:]] == list(RED_BLOCKS)
    assert (NUM_ACTIONS, blocks[-5].start) == (actions.NUM_ACTIONS + 5 * 112, actions.NUM_ACTIONS)
    assert VALLEY.action_layout() is LAYOUT


def test_every_number_has_a_text_and_values_of_its_own():
    row = position(VALLEY, {"to_act": WHITE, "board": {"d4": "wS"}}).state[0]
    texts = [VALLEY.action_text(row, action) for action in range(NUM_ACTIONS)]
    assert len(set(texts)) == NUM_ACTIONS
    assert [VALLEY.read_action(row, text) for text in texts] == list(range(NUM_ACTIONS))
    for action in range(NUM_ACTIONS):
        name, values = decode(action)
        if board.OFF not in values[1:]:
            assert encode(name, *values) == action
    assert [texts[LAYOUT.start(name)] for name in RED_BLOCKS] == [
        *("C@g14", "Z@g14", "g14<", "g14z", "xg14")
    ]
    assert texts[0] == "-S"


@pytest.mark.parametrize(
    "text", ["+S", "C@", "C@a1", "Z@z9", "x", "xa14", "f4<<", "c@f9", "z", "-X", ""]
)
def test_other_texts_are_no_moves(text):
    row = position(VALLEY, {"to_act": WHITE, "board": {"d4": "wS"}}).state[0]
    with pytest.raises(ValueError):
        VALLEY.read_action(row, text)


@pytest.mark.parametrize(
    ("block", "values"), [("corpse", (112,)), ("raise", (-1,)), ("zombify", ())]
)
def test_values_out_of_range_are_refused(block, values):
    with pytest.raises(ValueError, match="is no action"):
        encode(block, *values)


def test_planes_hold_every_number_that_a_square_goes_with_once():
    bound = {a for a in range(actions.DEPLOY, NUM_ACTIONS) if board.OFF not in decode(a)[1][1:]}
    white, black, red = (action_planes(side) for side in range(3))
    for planes in (white, black):
        assert planes.shape == (PLANES.size, 14, 14) == (27, 14, 14)
        found = planes[planes >= 0]
        assert len(found) == len(set(found.tolist()))
        assert set(found.tolist()) == bound
    assert (red == white).all()
    assert (black[:22] == actions.action_planes(board.BLACK)).all()
    f4, i11 = board.SQUARE_OF["f4"], board.SQUARE_OF["i11"]  # half a turn from one another
    corpse = PLANES.start("corpse")
    assert white[corpse, 10, 5] == encode("corpse", f4)  # file f, four ranks from the bottom
    assert black[corpse, 10, 5] == encode("corpse", i11)


# -- symmetries ----------------------------------------------------------------------------------


def image_of(state, symmetry):
    """The position as a symmetry shows it; where that exchanges the homegrounds, the colours too."""
    swap = board.EXCHANGES[symmetry]
    agents = {WHITE: BLACK, BLACK: WHITE} if swap else {}
    sides = {"w": "b", "b": "w"} if swap else {}

    def square(name):
        return board.NAMES[board.SQUARE_IMAGE[symmetry, board.SQUARE_OF[name]]]

    def facing(letter):
        return board.FACINGS[board.FACING_IMAGE[symmetry, board.FACINGS.index(letter)]]

    def piece(text):
        if text[0] in "cz":
            return text
        end = facing(text[2]) + text[3:] if text[1] in "BFI" else text[2:]
        return sides.get(text[0], text[0]) + text[1] + end

    image = {
        **state,
        "to_act": agents.get(state["to_act"], state["to_act"]),
        "turn": state["turn"] + 3 * swap,  # V2: there the colours are exchanged
        "board": {square(name): piece(text) for name, text in state["board"].items()},
        "hands": {agents.get(agent, agent): hand for agent, hand in state["hands"].items()},
        "lost": {sides.get(side, side): number for side, number in state["lost"].items()},
    }
    if "pending" in state:
        pending = dict(state["pending"])
        if "tiles" in pending:
            pending["tiles"] = sorted(map(square, pending["tiles"]))
        else:
            pending["tile"] = square(pending["tile"])
        if pending.get("not"):
            pending["not"] = facing(pending["not"])
        image["pending"] = pending
    return image


@pytest.mark.parametrize("symmetry", range(4))
def test_a_game_and_its_image_go_the_same_way(symmetry):
    rng, seats = random.Random(symmetry), [1, 0, 2] if board.EXCHANGES[symmetry] else [0, 1, 2]
    for _ in range(12):
        # A tile just deployed shows N, whatever the symmetry makes of its facing.
        state = sound(rng, ("action", "zombify", "capture", "retrieve", "place"))
        games = position(VALLEY, state, max_turns=None)
        images = position(VALLEY, image_of(state, symmetry), max_turns=None)
        for _ in range(20):
            mine = ACTION_IMAGE[symmetry, np.flatnonzero(games.legal[0])]
            assert sorted(mine.tolist()) == np.flatnonzero(images.legal[0]).tolist()
            assert (images.rewards[0] == games.rewards[0, seats]).all()
            if games.done[0]:
                break
            action = games.sample_legal()
            games.step(action)
            images.step(ACTION_IMAGE[symmetry, action])


@pytest.mark.parametrize("view", ["planes", "compact"])
def test_black_sees_its_game_as_white_sees_the_image(view):
    for seed in range(6):
        state = sound(random.Random(seed), ("action", "zombify", "capture", "retrieve", "place"))
        options = {"observation": view, "max_turns": None}
        games, images = (valley_v0.batch(1, **options) for _ in range(2))
        games.load_state_dict(0, state)
        images.load_state_dict(0, image_of(state, board.HALF_TURN))
        turned = VALLEY.observation_layout(view, 3).start("turned")
        for seat in range(2):
            seen, image = games.observe(seat)[0], images.observe(1 - seat)[0]
            assert (seen[turned] == seat).all() and (image[turned] == 1 - seat).all()
            assert (np.delete(seen, turned, axis=0) == np.delete(image, turned, axis=0)).all()


# -- observations --------------------------------------------------------------------------------


def test_channels_of_the_game_for_two_come_first():
    assert list(valley_observe.PLANES)[: len(list(observe.PLANES))] == list(observe.PLANES)
    assert list(valley_observe.COMPACT)[: len(list(observe.COMPACT))] == list(observe.COMPACT)
    games = valley_v0.batch(1)
    assert games.observe().shape == (1, 98, 14, 14)
    assert VALLEY.observation_layout("planes", 3).size == 98
    assert VALLEY.observation_layout("compact", 3).size == valley_observe.COMPACT.size == 1519


def plane(games, seat, name, offset=0):
    return games.observe(seat)[0, valley_observe.PLANES.start(name) + offset]


def squares_of(cells, black=False):
    """Names of the squares that are not zero, as White counts them."""
    rows, columns = np.nonzero(cells)
    places = zip(columns.tolist(), rows.tolist(), strict=True)
    turned = [(13 - x, 13 - y) if black else (x, y) for x, y in places]
    return {board.NAMES[board.NUMBERS[place]] for place in turned}


def test_reds_pieces_are_seen_from_every_seat():
    pieces = {"d9": "z2", "f9": "z", "e10": "wS", "i6": "c", "j10": "bW"}
    state = {"to_act": RED, "phase": "zombify", "board": pieces, "red_hand": 4}
    games = position(VALLEY, {**state, "pending": {"tiles": ["e10"]}})
    for seat, black in ((0, False), (1, True), (2, False)):
        seen = {name: squares_of(plane(games, seat, name), black) for name in ("corpse", "zombie")}
        assert seen == {"corpse": {"i6"}, "zombie": {"d9", "f9"}}
        assert squares_of(plane(games, seat, "eligible"), black) == {"e10"}
        assert squares_of(plane(games, seat, "shielded"), black) == {"i10", "k10", "j9", "j11"}
        around = {"d9", "d10", "d11", "e9", "e11", "f9", "f10", "f11"}  # of the Sword on e10
        diagonal = {"i9", "i11", "k9", "k11"}  # of the Water on j10
        assert squares_of(plane(games, seat, "against_red"), black) == around | diagonal
        assert plane(games, seat, "streak").max() == 2
        assert (plane(games, seat, "red_hand") == 4).all()
        assert (plane(games, seat, "zombies") == 2).all()
        order = [plane(games, seat, "order", n).all() for n in range(6)]
        assert order == [n == (5 if black else 2) for n in range(6)]  # turn 2
        phase = [plane(games, seat, "red_phase", n).all() for n in range(3)]
        assert phase == [False, True, False]
        assert not plane(games, seat, "phase").any()
        assert plane(games, seat, "red").all() == plane(games, seat, "to_act").all() == (seat == 2)
    own, enemy = valley_observe.PLANES.start("own"), valley_observe.PLANES.start("enemy")
    for seat, first, second in ((0, own, enemy), (1, enemy, own), (2, own, enemy)):
        planes = games.observe(seat)[0]
        assert squares_of(planes[first], seat == 1) == {"e10"}  # a white Sword
        assert squares_of(planes[second + 4], seat == 1) == {"j10"}  # a black Water


def test_values_keep_their_bounds_and_the_forms_agree():
    games = [valley_v0.batch(30, seed=2, observation=view) for view in ("planes", "compact")]
    highs = [VALLEY.views[view].high(3) for view in ("planes", "compact")]
    players = seat_policies(VALLEY, 3, ["random", "random", "greedy"])
    layout, zombies = valley_observe.COMPACT, valley_observe.PLANES.start("zombie")
    for _ in range(150):
        rows = np.flatnonzero(~games[0].done)
        moves = choose_actions(games[0], players, rows)
        for batch in games:
            batch.step(moves, rows)
        seat = int(games[0].plies.max()) % 3
        planes, compact = (batch.observe(seat) for batch in games)
        for seen, high in zip((planes, compact), highs, strict=True):
            assert (seen >= 0).all()
            assert (seen <= high).all()
        table = compact[:, layout.start("red_hand") :]
        assert (planes[:, -table.shape[1] :, 0, 0] == table).all()
        piece = compact[:, layout.start("piece") :][:, :112]
        assert ((piece == 2).sum(axis=1) == planes[:, zombies].sum(axis=(1, 2))).all()


# -- policies ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "least"), [(0, 36), (1, 36), (2, 28)])
def test_greedy_beats_random_in_every_seat(seat, least):
    policies = ["random"] * 3
    policies[seat] = "greedy"
    games, players = valley_v0.batch(40, seed=1), seat_policies(VALLEY, 3, policies)
    while len(rows := np.flatnonzero(~games.done)):
        games.step(choose_actions(games, players, rows), rows)
    assert (games.rewards[:, seat] > 0).sum() >= least


def test_estimates_are_returns_that_favour_who_is_near_the_end():
    guesses = {}
    for name, zombies, tiles in (("white", 1, "wwwww"), ("black", 1, "bbbbb"), ("red", 9, "wwbb")):
        squares = ["a8", "c9", "e11", "k5", "m7"]
        board_there = dict(zip(squares, [side + "E" for side in tiles], strict=False))
        board_there |= dict.fromkeys(
            ["c5", "e5", "g5", "e3", "g3", "i9", "k9", "i11", "k11"][:zombies], "z"
        )
        row = position(VALLEY, {"to_act": BLACK, "board": board_there}).state[0]
        returns = np.zeros(3, np.float32)
        valley_greedy.estimate(row, returns)
        assert (abs(returns) <= 1).all()
        assert abs(returns[0] + returns[1]) < 1e-6  # V9: what Red wins, they draw
        guesses[name] = returns.tolist()
    assert [max(guess) for guess in guesses.values()] == [
        *(guesses["white"][0], guesses["black"][1], guesses["red"][2])
    ]


# -- doors ---------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("observation", ["planes", "compact"])
def test_pettingzoo_conformance(observation):
    api_test(valley_v0.env(observation=observation), num_cycles=60)
    seed_test(lambda: valley_v0.raw_env(observation=observation), num_cycles=30)


def test_agents_turns_and_rewards_of_the_environment():
    env = valley_v0.env(max_turns=40)
    env.reset(seed=4)
    assert env.agents == [WHITE, BLACK, RED]
    rng, who = np.random.default_rng(0), []
    for agent in env.agent_iter():
        observation, _, ended, cut, info = env.last()
        if ended or cut:
            env.step(None)
            continue
        who.append(agent)
        assert (observation["action_mask"] == info["action_mask"]).all()
        env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    assert who[:12] == [BLACK] * 6 + [WHITE] * 6
    assert env.rewards == {} or set(env.rewards.values()) <= {-1, 0, 1}


def test_registered_environments_open():
    for seat in (WHITE, RED):
        env = gymnasium.make("paiko_env/Valley-v0", seat=seat, opponents="random", max_turns=30)
        observation, info = env.reset(seed=1)
        assert env.observation_space.contains(observation)
        while info["action_mask"].any():
            observation, *_, info = env.step(int(info["action_mask"].argmax()))
            assert env.observation_space.contains(observation)
        env.close()
    envs = gymnasium.make_vec("paiko_env/Valley-v0", num_envs=3, seat=RED, opponents="greedy")
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, 98, 14, 14)
    assert infos["action_mask"].shape == (3, NUM_ACTIONS)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "7", True, [3]])
def test_other_limits_are_refused(limit):
    for door in (valley_v0.env, lambda **options: valley_v0.batch(1, **options)):
        with pytest.raises(ValueError, match=r"max_turns is .*, expected an integer of 1 or more"):
            door(max_turns=limit)


def test_other_arguments_are_refused():
    with pytest.raises(TypeError, match="unknown option 'max_rounds' of Valley of the Shrines"):
        valley_v0.batch(1, max_rounds=3)
    with pytest.raises(ValueError, match="num_players is 2"):
        valley_v0.env(2)


def test_an_illegal_action_is_named_and_changes_nothing():
    games = position(VALLEY, {"to_act": RED, "board": {"d4": "wS", "f9": "c"}, "red_hand": 1})
    before = games.state.copy()
    with pytest.raises(ValueError, match=r"\(d4z\) of red_0 is not legal in phase action"):
        games.step([encode("zombify", board.SQUARE_OF["d4"])])
    assert (games.state == before).all()


REFUSED = [
    ({"phase": "draw"}, "phase is 'draw', expected one of setup, action, slide"),
    ({"phase": "reward"}, "phase is 'reward', expected one of"),
    ({"to_act": "red_1"}, "to_act is 'red_1', expected one of white_0, black_0, red_0"),
    ({"reserves": {"w": "S"}}, "reserves of w is 'S', but the Valley has none"),
    ({"hands": {"red_0": "S"}}, "hands has an entry for 'red_0'"),
    ({"board": {"f9": "c~"}}, "board: 'c~' on f9 is no tile"),
    ({"board": {"f9": "wS"}}, "board: wS stands on the black square f9"),
    ({"red_hand": -1}, "red_hand is -1, expected an integer in 0.."),
    ({"phase": "retrieve", "board": {"d4": "wS"}}, "phase is retrieve, but red_0 has no choice"),
    ({"phase": "capture"}, "phase is capture, but fewer than two tiles are capturable"),
    ({"phase": "zombify", "pending": {"tiles": []}}, "tiles in pending is [], expected a list"),
    ({"phase": "zombify", "pending": {"tiles": ["d4"]}}, "has 'd4', where no tile is between"),
    ({"phase": "zombify"}, "pending is None, expected tiles in phase zombify"),
    ({"phase": "setup", "board": {}}, "turn is 0, to_act red_0: not so in phase setup"),
    (
        {
            "phase": "setup",
            "board": {},
            "to_act": "white_0",
            "pending": {"left": 1},
            "red_hand": 5,
            "hands": {"white_0": "S"},
        },
        "red_hand is 5, but 11 tiles have been discarded",
    ),
    ({"phase": "retrieve", "to_act": WHITE}, "phase is retrieve, but white_0 has no such phase"),
    ({"phase": "face", "pending": {}}, "phase is face, but red_0 has no such phase"),
    ({"phase": "over", "to_act": None}, "turn is missing, and phase over does not tell it"),
    ({"phase": "over", "to_act": None, "turn": 0}, "phase is over, but white_0 has not won"),
    ({"truncated": True}, "truncated is true, but the phase is action"),
    ({"turn": 400, "to_act": WHITE}, "turn is 400, but the game is cut off at max_turns, 400"),
    ({"token": RED}, "unknown key 'token'"),
]


@pytest.mark.parametrize(("change", "complaint"), REFUSED)
def test_states_are_refused_by_what_is_wrong(change, complaint):
    state = {"to_act": RED, "board": {"d4": "wS", "f9": "c"}, **change}
    assert complaint in refusal(valley_v0.batch(1), state)


def test_setup_needs_the_tiles_that_are_to_be_discarded():
    state = {"to_act": BLACK, "phase": "setup", "pending": {"left": 3}, "red_hand": 3}
    hands = {BLACK: "SSSB", WHITE: "SSSBBB"}
    games = position(VALLEY, {**state, "hands": hands})
    assert games.state_dict()["legal"] == ["-B", "-S"]
    assert refusal(games, {**state, "hands": {**hands, WHITE: "SSS"}}) == (
        "hands of white_0 is 'SSS', but 6 are to be discarded"
    )
    assert "hands of black_0 is ''" in refusal(games, {**state, "hands": {WHITE: "SSSBBB"}})


# -- records and perft ---------------------------------------------------------------------------


def written(capsys=None):
    """The lines of all commands, as ``record`` writes them."""
    for command in COMMANDS:
        assert main([VALLEY], "valley", ["record", "--players", "3", *command.split()]) == 0
    return capsys.readouterr().out.splitlines() if capsys else []


def test_golden_records_are_written_as_ever(capsys):
    golden = (DATA / "valley_golden.jsonl").read_text().splitlines()
    new = written(capsys)
    assert len(golden) == len(new)
    for old, line in zip(golden, new, strict=True):
        assert json.loads(old) == json.loads(line)
        assert old == line


def test_golden_records_are_checked(capsys):
    assert main([VALLEY], "valley", ["check", str(DATA / "valley_golden.jsonl")]) == 0
    assert capsys.readouterr().out == "5 records agree with the rules\n"


POSITIONS = [json.loads(line) for line in (DATA / "valley_perft.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", POSITIONS, ids=range(len(POSITIONS)))
def test_perft(case):
    games = position(VALLEY, case["state"])
    counts = [perft(games, depth) for depth in range(1, len(case["perft"]) + 1)]
    assert counts == case["perft"]
    assert sum(divide(games, 2).values()) == case["perft"][1]


if __name__ == "__main__":
    sys.exit(written() or 0)
