"""``examples/tournament.py``: who sits where, what counts as a win, and whether ratings tell the truth."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from paiko_env import ronin_v0
from shikoku_env import shikoku_v0

pytest.importorskip("choix")
pytest.importorskip("matplotlib")

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def example():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLES)
        import tournament

        yield tournament


# -- seats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entrants", "sides"), [(2, 2), (3, 2), (5, 2), (2, 3), (4, 3), (3, 8), (9, 4)]
)
def test_line_ups_go_round_the_table(example, entrants, sides):
    holders = example.line_ups(entrants, sides, 2000, seed=3)
    assert 2000 <= len(holders) < 2000 + sides
    for start in range(
        0, len(holders), sides
    ):  # each seat of a line-up is held by all its entrants
        table = holders[start : start + sides]
        assert all(sorted(column) == sorted(table[0]) for column in table.T.tolist())
        there = Counter(table[0].tolist())
        assert len(there) > 1
        assert max(there.values()) - min([there[k] for k in range(entrants)]) <= 1
    seats = [np.bincount(column, minlength=entrants) for column in holders.T]
    assert len({tuple(counts) for counts in map(tuple, seats)}) == 1  # all seats alike
    assert seats[0].max() < 1.2 * seats[0].min()


def test_a_colour_is_one_side_in_ronin_alone(example):
    ronin, shikoku = ronin_v0.batch(1, 6), shikoku_v0.batch(1, 4)
    assert example.sides_of(ronin.game, ronin.agents).tolist() == [0, 1, 1, 1, 1, 1]
    assert example.sides_of(shikoku.game, shikoku.agents).tolist() == [0, 1, 2, 3]


def test_seats_are_played_by_their_holders(example):
    """Two policies that play the lowest and the highest legal action; every move is looked at."""
    games, seen = shikoku_v0.batch(12, 3, seed=1), []

    class Extreme:
        def __init__(self, index, pick):
            self.index, self.pick = index, pick

        def choose(self, games, rows):
            seen.extend((self.index, row, games.seat[row]) for row in rows.tolist())
            return np.array([self.pick(np.flatnonzero(games.legal[row])) for row in rows])

    holders = example.line_ups(2, 3, 12, seed=0)
    example.play(games, holders, [Extreme(0, min), Extreme(1, max)])
    assert games.done.all()
    assert len(seen) == games.plies.sum()
    assert all(holders[row, seat] == index for index, row, seat in seen)


# -- ratings -------------------------------------------------------------------------------------


def test_sides_of_different_holders_are_compared(example):
    rewards = np.array([[1, -1, 1], [0, 0, 0]], np.float32)
    holders = np.array([[0, 1, 1], [2, 0, 2]])
    wins = example.compare(rewards, holders, 3)
    assert wins[0].tolist() == [[0, 1.5, 0], [0.5, 0, 0], [0, 0, 0]]
    assert wins[1].tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]


def test_two_are_as_far_apart_as_their_results(example):
    ratings = example.fit(np.array([[0, 300], [100, 0]], float))
    assert ratings[0] - ratings[1] == pytest.approx(400 * np.log10(300.5 / 100.5))
    ratings = example.fit(np.array([[0, 2000.0], [0, 0]]))  # one who never lost
    assert ratings[0] - ratings[1] == pytest.approx(400 * np.log10(2000.5 / 0.5))


def made_up(example, truth, sides, games, seed):
    """Wins of entrants whose rewards are Gumbel variables, which obey Bradley and Terry exactly."""
    holders = example.line_ups(len(truth), sides, games, seed)
    noise = np.random.default_rng(seed).gumbel(size=holders.shape)
    return example.compare(truth[holders] / example.ELO + noise, holders, len(truth))


@pytest.mark.parametrize("sides", [2, 3, 7])
def test_ratings_recover_known_strengths(example, sides):
    truth = np.array([0.0, 120.0, -80.0, 300.0, 310.0])
    found = example.rate(made_up(example, truth, sides, 8000, 1), 0, resamples=100, seed=1)
    np.testing.assert_allclose(found.ratings, truth, atol=30)
    assert found.ratings[0] == found.low[0] == found.high[0] == 0
    assert (found.low[1:] < found.ratings[1:]).all() and (found.ratings[1:] < found.high[1:]).all()
    assert (found.high - found.low).max() < 60


def test_who_is_not_connected_by_wins_has_no_interval(example):
    """0 and 1 beat each other, both always beat 2, and 3 always beats all."""
    games = [(0, 1), (1, 0), (0, 2), (1, 2), (3, 0), (3, 1), (3, 2)] * 20
    wins = np.zeros((len(games), 4, 4))
    for game, (winner, loser) in zip(wins, games, strict=True):
        game[winner, loser] = 1
    found = example.rate(wins, 0, resamples=50, seed=0)
    assert (
        np.isnan(found.low).tolist() == np.isnan(found.high).tolist() == [False, False, True, True]
    )
    assert found.ratings[2] < found.ratings[0] < found.ratings[3]


def test_intervals_hold_the_truth_in_95_of_100(example):
    truth, held = np.array([0.0, 60.0, 200.0]), []
    for seed in range(40):
        found = example.rate(made_up(example, truth, 4, 200, seed), 0, resamples=60, seed=seed)
        held += ((found.low < truth) & (truth < found.high))[1:].tolist()
    assert 0.88 <= np.mean(held) <= 0.995


# -- whole tournaments ---------------------------------------------------------------------------


def run(example, out, *words):
    return example.main([*words, "--resamples", "50", "--out", str(out)])


def test_greedy_is_rated_above_random(example, tmp_path, capsys):
    rows = run(example, tmp_path, "random", "greedy", "--game", "paiko", "--games", "20")
    assert [row["name"] for row in rows] == ["greedy", "random"]
    assert rows[0]["rating"] > 100 and rows[1]["rating"] == 0
    assert rows[0]["against"] == {"random": rows[0]["share"]}
    assert rows[0]["reward"] == -rows[1]["reward"] > 0.5
    assert json.loads((tmp_path / "ratings.json").read_text()) == rows
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")
    assert "Paikō, 2 players, 20 games" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "players", "games"), [("shikoku", 5, 60), ("ronin", 4, 36)])
def test_the_same_policy_thrice_is_rated_alike(example, tmp_path, game, players, games):
    words = "random", "b=random", "c=random", "--game", game, "--players", str(players)
    rows = run(example, tmp_path, *words, "--games", str(games), "--zero", "b")
    assert next(row for row in rows if row["name"] == "b")["interval"] == [0, 0]
    assert all(row["interval"][0] - 50 <= 0 <= row["interval"][1] + 50 for row in rows)
    assert all(games / 3 < row["games"] <= games for row in rows)


@pytest.fixture
def checkpoint(example, tmp_path):
    torch = pytest.importorskip("torch")
    for needed in ("tensorboard", "tqdm"):
        pytest.importorskip(needed)
    import networks

    spec = networks.describe(shikoku_v0.batch(1, 3), 16)
    saved = {"game": "shikoku", "players": [3], "spec": spec}
    torch.save(saved | {"net": networks.Net(spec).state_dict()}, tmp_path / "net.pt")
    return tmp_path / "net.pt"


def test_a_checkpoint_takes_part(example, checkpoint, tmp_path):
    words = "random", f"net={checkpoint}", "--players", "3", "--games", "12"
    rows = run(example, tmp_path, *words)
    assert sorted(row["name"] for row in rows) == ["net", "random"]


def test_a_checkpoint_must_fit(example, checkpoint, tmp_path):
    with pytest.raises(SystemExit, match=r"trained on observations of shape \(383,\).*4 players"):
        run(example, tmp_path, "random", str(checkpoint), "--players", "4")
    with pytest.raises(SystemExit, match="plays shikoku, but the tournament is of paiko"):
        run(example, tmp_path, "random", str(checkpoint), "--game", "paiko")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random"], r"entrants are \['random'\], expected two or more"),
        (["random", "random"], "two entrants are named 'random': write name=random"),
        (["random", "best"], "policy is 'best', but Shikoku has: random, mcts"),
        (["random", "mcts:no"], "mcts:no"),
        (["random", "none.pt"], "there is no checkpoint none.pt"),
        (
            ["random", "b=random", "--zero", "c"],
            r"--zero is 'c', expected one of \['random', 'b'\]",
        ),
        (["random", "b=random", "--games", "0"], "--games is 0, expected 1 or more"),
        (["random", "b=random", "--players", "9"], "num_players is 9, but Shikoku takes 3..8"),
    ],
)
def test_bad_input_is_named(example, tmp_path, words, message):
    with pytest.raises(SystemExit, match=message):
        run(example, tmp_path, *words)
    assert not list(tmp_path.iterdir())
