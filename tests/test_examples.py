"""``examples/selfplay_ppo.py``: a tiny run from end to end, and its credit against slow, plain Python."""

from __future__ import annotations

import importlib
import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from paiko_env import paiko_v0
from paiko_env.game import PAIKO
from shikoku_env import shikoku_v0

torch = pytest.importorskip("torch")
for needed in ("tensorboard", "tqdm", "matplotlib"):
    pytest.importorskip(needed)

EXAMPLE = Path(__file__).parent.parent / "examples" / "selfplay_ppo.py"
TINY = ["--games", "16", "--plies", "64", "--minibatch", "256", "--width", "32"]
TINY += ["--decisions", "2000", "--points", "2", "--point-games", "30", "--final-games", "30"]


@pytest.fixture(scope="module")
def example():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLE.parent))
        yield importlib.import_module(EXAMPLE.stem)


@pytest.fixture(scope="module")
def run(example, tmp_path_factory):
    """The folder and the table of a tiny run."""
    out = tmp_path_factory.mktemp("run")
    return out, example.main([*TINY, "--out", str(out)])


def slow_credit(seats, values, rewards, ended, discount, trace):
    """Follow each seat of each game forward, from every decision to the end of what is known."""
    plies, games = seats.shape
    advantages, known = np.zeros(values.shape), np.zeros(ended.shape, bool)

    def chain(game, start):
        """The decisions of one seat from ``start`` on, and its reward if the game ends."""
        seat, times = seats[start, game], []
        for t in range(start, plies):
            if seats[t, game] == seat:
                times.append(t)
            if ended[t, game]:
                return times, rewards[t, game, seat]
        return times, None

    for game in range(games):
        for start in range(plies):
            times, reward = chain(game, start)
            worth = values[times, game].astype(float).tolist()
            if reward is None:  # the last decision waits for its sequel
                errors = [discount * b - a for a, b in itertools.pairwise(worth)]
            else:
                follow = [*(discount * value for value in worth[1:]), reward]
                errors = [b - a for a, b in zip(worth, follow, strict=True)]
            known[start, game] = bool(errors)
            advantages[start, game] = sum(
                (discount * trace) ** k * error for k, error in enumerate(errors)
            )
    return advantages, known


@pytest.mark.parametrize(("discount", "trace"), [(1.0, 0.95), (0.9, 0.8), (1.0, 1.0), (1.0, 0.0)])
def test_credit_follows_each_seat_through_the_moves_of_others(example, discount, trace):
    random = np.random.default_rng(7)
    plies, games, players = 60, 9, 4
    seats = random.integers(0, players, (plies, games))
    values = random.normal(size=(plies, games)).astype(np.float32)
    ended = random.random((plies, games)) < 0.08
    rewards = random.normal(size=(plies, games, players)).astype(np.float32)
    advantages, known = example.credit(seats, values, rewards, ended, discount, trace)
    slow_advantages, slow_known = slow_credit(seats, values, rewards, ended, discount, trace)
    np.testing.assert_array_equal(known, slow_known)
    np.testing.assert_allclose(advantages, slow_advantages, atol=1e-4)


def test_the_reward_of_a_loser_reaches_its_own_last_decision(example):
    seats = np.array([[0], [1], [0], [1]])  # seat 1 ends the game, then a new one begins
    ended = np.array([[False], [False], [False], [True]])
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[3, 0] = [-1, 1]
    values = np.zeros((4, 1), np.float32)
    advantages, known = example.credit(seats, values, rewards, ended, 1.0, 1.0)
    assert advantages[:, 0].tolist() == [-1, 1, -1, 1]
    assert known.all()


def test_a_run_leaves_its_files(run):
    out, table = run
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list(out.glob("events.out.tfevents.*"))
    assert json.loads((out / "results.json").read_text()) == table
    assert [(row["players"], row["one"]) for row in table] == [
        (players, one) for players in (3, 5, 8) for one in ("learner", "random")
    ]


@pytest.mark.parametrize("num_players", [3, 4, 8])
def test_a_checkpoint_is_a_policy_that_plays_legally(example, run, num_players):
    policy = example.load_policy(run[0] / "checkpoint.pt")
    games = shikoku_v0.batch(8, num_players, seed=3, observation=policy.observation)
    while not games.done.any():
        games.step(policy(games.observe(), games.legal))  # an illegal action raises
    assert games.rewards[games.done].any()


def test_a_run_repeats(example, run, tmp_path):
    table = example.main([*TINY, "--out", str(tmp_path)])
    assert table == run[1]
    one, other = (torch.load(out / "checkpoint.pt")["net"] for out in (run[0], tmp_path))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_checkpoint_is_evaluated_or_trained_on(example, run, tmp_path):
    start = ["--checkpoint", str(run[0] / "checkpoint.pt"), "--out", str(tmp_path)]
    assert example.main([*start, "--final-games", "30"]) == run[1]
    example.main([*start, *TINY])
    before, after = (torch.load(out / "checkpoint.pt") for out in (run[0], tmp_path))
    assert after["decisions"] > before["decisions"]
    assert after["curve"][: len(before["curve"])] == before["curve"]


def test_a_network_for_boards_plays_black_as_it_plays_white(example):
    """White's first turn on a board, and the same turned for Black: the same choice, turned."""
    net = example.new_net(example.describe(paiko_v0.batch(1), 32, heads="board"))
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.3)
    games = paiko_v0.batch(1)
    logs = []
    for own, enemy, board in (
        ("white_0", "black_0", {"f4": "wS", "g5": "wBE", "j8": "bE"}),
        ("black_0", "white_0", {"i11": "bS", "h10": "bBW", "e7": "wE"}),
    ):
        turn = 4 if own == "white_0" else 5
        state = {"game": "paiko", "to_act": own, "turn": turn, "board": board}
        games.load_state_dict(0, {**state, "hands": {own: "SI", enemy: "FF"}})
        seen = torch.tensor(games.observe())
        turned = PAIKO.observation_layout("planes", 2).start("turned")
        assert seen[0, turned].unique().tolist() == [int(own == "black_0")]
        seen = seen.clone()
        seen[:, PAIKO.observation_layout("planes", 2).start("turns_left")] = 9
        net.trunk.scale[turned] = 0  # but for the numbers of the actions, the side shall not matter
        logs.append(net(seen, torch.tensor(games.legal))[0].detach()[0])
    white, black = logs
    assert (white > -1e8).sum() > 40
    black = black[PAIKO.seen_actions(2)[1]]
    torch.testing.assert_close(white, black)
