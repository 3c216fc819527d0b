"""The benchmark runs without peers, and its arithmetic is right; nothing here depends on speed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture
def benchmarks(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.mark.parametrize("quick", [True, False])
def test_every_section_can_be_asked_for_and_is_by_default(benchmarks, quick):
    import games
    import throughput

    keys = {section.key for plan in games.GAMES.values() for section in plan(quick).sections}
    assert keys | {throughput.STARTUP} == set(throughput.SECTIONS)


def test_a_short_run_writes_figures_and_prints_them(tmp_path):
    file = tmp_path / "result.json"
    command = [
        sys.executable, str(BENCHMARKS / "throughput.py"), "--quick", "--no-peers", "--rounds", "2",
        "--games", "shikoku",
        "--seconds", "0.001", "--only", "playouts,batch,vector,aec", "-o", str(file),
    ]  # fmt: skip
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(BENCHMARKS.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "| Shikoku, 4 players, whole games, 4096 games |" in done.stdout
    result = json.loads(file.read_text())
    assert {"machine", "versions", "date", "commit", "command", "settings"} <= set(result)
    sections = result["games"]["shikoku"]["sections"]
    assert [section["key"] for section in sections] == ["playouts", "batch", "vector", "aec"]
    for section in sections:
        for figure in section["figures"]:
            assert figure["rate"][0] > 0
            assert len(figure["rounds"]) == 2
        assert all(demand["ratio"] is None for demand in section["demands"])
    assert {entry["why"] for entry in result["not_run"]} == {"left out by --no-peers"}


def test_a_missing_peer_is_said_so(benchmarks):
    from workers import Contestant, NotRunError, Workers

    missing = Contestant("a game nobody has", "peers:pettingzoo_loop", {"game": "no_such_game_v0"})
    with (
        Workers() as workers,
        pytest.raises(NotRunError, match=r"not installed: .*no_such_game_v0"),
    ):
        workers.prepare(missing)


def test_rates_spread_and_ratio(benchmarks):
    from timing import Round, rates, ratio, spread, time_round

    rounds = [Round(10, 2.0, 1.0), Round(30, 2.0, 1.0), Round(20, 4.0, 1.0)]
    assert rates(rounds, "cpu") == [10, 30, 20]
    assert rates(rounds, "wall") == [5, 15, 5]
    assert spread([10, 30, 20]) == (20, 15, 25)
    assert spread([7]) == (7, 7, 7)
    assert ratio([10, 30, 20], [5, 10, 20]) == (2, 1.5, 2.5)
    once = time_round(lambda: 3, 0.0)
    assert once.decisions == 3
    assert once.wall > 0


def test_every_demand_names_contestants_of_its_section(benchmarks):
    from games import GAMES

    for plan in GAMES.values():
        for quick in (True, False):
            for section in plan(quick).sections:
                labels = [contestant.label for contestant in section.contestants]
                assert len(set(labels)) == len(labels)
                for demand in section.demands:
                    assert demand.ours
                    assert demand.theirs
                    assert {*demand.ours, *demand.theirs} <= set(section.contestants)
