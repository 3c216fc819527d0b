"""What notebooks show: well formed, escaped, and unasked no more than the agent to act may see."""

from __future__ import annotations

import copy
import json
import pickle
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

from paiko_env import paiko_v0
from paiko_env.game import PAIKO
from paiko_env.ronin_game import RONIN
from paiko_env.valley_game import VALLEY
from shikoku_env import shikoku_v0
from shikoku_env.game import SHIKOKU
from tabletop_env.aec import GameEnv
from tabletop_env.batch import Batch
from tabletop_env.display import fragment
from tabletop_env.record import Record, write_records
from tabletop_env.vector import GameSeatEnv, GameVectorEnv
from tests.helpers import position
from tests.tic_tac_toe import TIC_TAC_TOE

GAMES = [SHIKOKU, PAIKO, VALLEY, RONIN]
SVG = "{http://www.w3.org/2000/svg}svg"


def parsed(shown: str) -> ElementTree.Element:
    return ElementTree.fromstring(shown)


def facts(shown: str) -> dict[str, str]:
    """The table of a fragment."""
    rows = [[cell.text or "" for cell in row] for row in parsed(shown).iter("tr")]
    return dict(rows)


def caption(shown: str) -> str:
    (line,) = parsed(shown).iter("figcaption")
    return str(line.text)


def picture(shown: str) -> str:
    """The picture's parts, as `Picture.svg` writes them."""
    (svg,) = re.findall(r"<svg .*?</svg>", shown, re.DOTALL)
    return svg.replace("<svg style='max-width:100%;height:auto' ", "<svg ") + "\n"


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_everything_shows_the_picture_of_its_game(game: Any):
    players = game.players[-1]
    env, games = GameEnv(game, players), Batch(game, 3, players, seed=2)
    seat, envs = GameSeatEnv(game, players, seat=1), GameVectorEnv(game, 2, players, seat=1)
    for one in (env, seat, envs):
        assert facts(one._repr_html_())["state"] == "call reset() first"
        assert not list(parsed(one._repr_html_()).iter(SVG))
        one.reset(seed=2)
    for one in (env, seat, envs, games):
        assert len(list(parsed(one._repr_html_()).iter(SVG))) == 1
        assert facts(one._repr_html_())["game"] == game.title
    assert picture(env._repr_html_()) == env.games.picture(0, env.agent_selection).svg()
    assert picture(games._repr_html_()) == games.picture(0, int(games.seat[0])).svg()
    assert picture(seat._repr_html_()) == seat.envs.games.picture(0, 1).svg()
    assert picture(envs._repr_html_()) == envs.games.picture(0, 1).svg()


def test_a_batch_is_counted():
    games = shikoku_v0.batch(4, 5, seed=1, step_table=[2] * 33)
    games.playout(until=3)
    games.step(games.sample_legal())
    told = facts(games._repr_html_())
    assert (told["players"], told["games"], told["actions"]) == ("5", "4", "33")
    assert told["done"].startswith(f"{games.done.sum()}, 0 ")
    assert told["plies"].startswith(f"{games.plies.min()} to {games.plies.max()}, ")
    assert told["observation"] == f"seats, {games.observation_shape} int8"
    assert told["options"].startswith("step_table [2, 2")
    assert "options" not in facts(shikoku_v0.batch(1)._repr_html_())
    cut = paiko_v0.batch(2, seed=0, max_turns=1)
    cut.playout()
    assert facts(cut._repr_html_())["done"] == "2, 2 of them cut off"
    assert cut.truncated.all()


def hidden_otherwise(state: dict[str, Any], viewer: str) -> dict[str, Any]:
    """A state of Shikoku or Ronin in which what ``viewer`` cannot see is something else."""
    other = copy.deepcopy(state)
    if state["game"] == "shikoku":
        me = int(viewer[-1])
        for seat, (hand, known) in enumerate(zip(state["hands"], state["known"], strict=True)):
            if seat != me:
                free = sorted(
                    {*range(1, 34)} - {c for h in other["hands"] for c in h} - in_sight(state)
                )
                fresh = iter(free)
                other["hands"][seat] = sorted(c if c in known else next(fresh) for c in hand)
    else:
        for agent, hand in state["hands"].items():
            if agent != viewer:
                other["hands"][agent] = "L" * len(hand)
    return {k: v for k, v in other.items() if k not in ("legal", "deck", "order")}


def in_sight(state: dict[str, Any]) -> set[int]:
    rows = [*state["row"], *state["previous_row"]]
    return {*state["removed"], *(card for card, _ in rows)}


@pytest.mark.parametrize(("game", "players"), [(SHIKOKU, 5), (RONIN, 6)], ids=str)
def test_nothing_hidden_is_shown_unasked(game: Any, players: int):
    """Other hidden hands, the same fragment: of a batch and of an environment, at many moments."""
    env = GameEnv(game, players)
    env.reset(seed=3)
    compared = 0
    for _ in range(60):
        agent = env.agent_selection
        state = hidden_otherwise(env.state_dict(), agent)
        if state.get("phase") != "hero":
            twin = GameEnv(game, players)
            twin.load_state_dict(state)
            assert twin.state_dict()["hands"] != env.state_dict()["hands"]
            assert twin.agent_selection == agent
            assert caption(env._repr_html_()) == f"game 0, as {agent} sees it"
            assert picture(env._repr_html_()) == picture(twin._repr_html_())
            assert picture(env.games._repr_html_()) == picture(twin.games._repr_html_())
            assert env.games.picture().svg() != twin.games.picture().svg()
            compared += 1
        env.step(int(np.flatnonzero(env.infos[agent]["action_mask"])[0]))
    assert compared >= 20


def test_while_chance_is_due_the_first_agent_looks():
    games = shikoku_v0.batch(1, 4, seed=0, explicit_chance=True)
    assert games.agent(0) == "chance"
    assert caption(games._repr_html_()) == "game 0, as player_0 sees it"


def test_when_the_game_is_over_all_lies_open():
    env = shikoku_v0.env(4)
    env.reset(seed=5)
    while not env.games.done[0]:
        env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0]))
    told = env._repr_html_()
    assert caption(told) == "game 0, all lies open"
    assert facts(told)["result"] == ", ".join(f"{a} {int(r)}" for a, r in env.rewards.items())
    assert "to act" not in facts(told)
    for _ in env.agents[:]:
        env.step(None)
    assert env.agents == []
    assert env._repr_html_() == told


def test_the_end_by_an_illegal_move_is_said():
    env = shikoku_v0.env(3, illegal="lose")
    env.reset(seed=5)
    env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
    for _ in range(2):
        assert facts(env._repr_html_())["result"] == "ended by an illegal move"
        for _ in env.agents[:]:
            env.step(None)


def test_a_game_without_an_artist_shows_its_text():
    games = position(TIC_TAC_TOE, {"board": ["x..", ".o.", "x.."]})
    (shown,) = parsed(games._repr_html_()).iter("pre")
    assert shown.text == "x..\n.o.\nx.."
    [record] = write_records(TIC_TAC_TOE, 2, 1, seed=1)
    assert len(list(parsed(record.html()).iter("pre"))) == 1


# -- records -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_record_shows_header_moves_and_the_last_picture(game: Any):
    [record] = write_records(game, game.players[0], 1, seed=9, **limit(game))
    told = record._repr_html_()
    assert facts(told)["seed"] == "9"
    assert facts(told)["agents"] == ", ".join(record["agents"])
    rewards = ", ".join(f"{agent} {reward}" for agent, reward in record["rewards"].items())
    assert facts(told)["result"] == rewards + (", cut off" if record["truncated"] else "")
    entries = [item.text for item in parsed(told).iter("li")]
    assert entries == [f"{agent}: {move}" for agent, move in record["moves"]]
    games = record.replay()
    assert games.done[0]
    assert picture(told) == games.picture().svg()


def limit(game: Any) -> dict[str, int]:
    return dict.fromkeys(set(game.options) & {"max_turns", "max_rounds"}, 4)


@pytest.mark.parametrize("game", [SHIKOKU, RONIN], ids=str)
def test_a_record_for_a_viewer_leaves_out_what_it_may_not_know(game: Any):
    [record] = write_records(game, 5, 1, seed=4, **limit(game))
    viewer = record["agents"][1]
    told = record.html(viewer)
    entries = [item.text for item in parsed(told).iter("li")]
    heard = [game.artist.heard(agent, move, viewer) for agent, move in record["moves"]]
    assert entries == [f"{a}: {m}" for (a, _), m in zip(record["moves"], heard, strict=True)]
    assert any(move.endswith("?") for move in heard)
    assert picture(told) == record.replay().picture(0, viewer).svg()
    assert caption(told) == f"game 0, as {viewer} sees it"
    with pytest.raises(ValueError, match="viewer is 'nobody'"):
        record.html("nobody")


def test_a_record_is_the_plain_json_object_too():
    [record] = write_records(SHIKOKU, 3, 1, seed=4)
    plain = json.loads(json.dumps(record))
    assert plain == record
    assert list(plain) == list(record)
    again = Record(SHIKOKU, plain)
    for other in (again, pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
        assert other == record
        assert other.game is SHIKOKU
        assert other.html() == record.html()


def test_what_is_wrong_with_a_record_is_said_and_escaped():
    [record] = write_records(SHIKOKU, 3, 1, seed=4)
    broken = Record(SHIKOKU, {**record, "moves": [["<script>alert(1)</script>", "&\x00"]]})
    told = broken.html()
    assert "<script" not in told
    assert "'<script>alert(1)</script>' is not to act" in facts(told)["this is no record"]
    assert not list(parsed(told).iter(SVG))
    parsed(Record(SHIKOKU, {"game": "<b>"}).html())


def test_facts_are_escaped():
    told = fragment({"a<b>": "<i>\x00\ud800&amp;"})
    assert facts(told) == {"a<b>": "<i>\ufffd\ufffd&amp;"}
