"""Any game as a PettingZoo AEC environment: one row behind PettingZoo's interface.

Order, bounds and legality are checked here, so no wrappers are needed around it. All seats end
together; the rewards of a finished game reach every seat through ``last()``.
"""

from __future__ import annotations

import copy
import operator
from typing import Any, Literal, Self

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from tabletop_env.batch import Batch
from tabletop_env.complaint import complaint
from tabletop_env.display import facts_of_game, fragment, onlooker, view
from tabletop_env.game import NOBODY, Game, StateDict
from tabletop_env.render import FPS, Screen, check_mode, render_modes

AFTER_RESET = (
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
)


class GameEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One game as an ``AECEnv``.

    Parameters
    ----------
    game
        The rules.
    num_players
        Number of seats.
    render_mode
        ``None``, ``"ansi"`` (``render`` returns text), ``"rgb_array"`` (a frame), or ``"human"`` (a window
        shows every move, at most ``metadata["render_fps"]`` a second). All of the game is shown.
    illegal
        What an illegal action does: ``"raise"`` a ``ValueError`` that leaves the game untouched, or
        ``"lose"``: the game ends, -1 for the agent and 0 for all others. An action that is no integer
        of the action space always raises.
    observation
        The form of observation, a name of ``game.views``.
    options
        The game's rule options.

    Notes
    -----
    Observations are ``{"observation": int8 array, "action_mask": (A,) int8}``; the same mask array is
    in ``infos[agent]["action_mask"]``. The mask of an agent that is not to act is all zeros.
    """

    def __init__(
        self,
        game: Game,
        num_players: int,
        *,
        render_mode: str | None = None,
        illegal: Literal["raise", "lose"] = "raise",
        observation: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.render_mode = check_mode(game, render_mode)
        self._screen = None if render_mode is None else Screen(render_mode)
        if illegal not in ("raise", "lose"):
            raise ValueError(f"illegal is {illegal!r}, expected 'raise' or 'lose'")
        self.games = Batch(game, 1, num_players, observation=observation, **options)
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(render_modes(game)),
            "render_fps": FPS,
            "is_parallelizable": False,
        }
        self.illegal = illegal
        self.possible_agents = list(self.games.agents)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: observation_space(self.games) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents
        }
        self._seeded = False
        self._bind()

    def _bind(self) -> None:
        """Keep at hand what every step needs."""
        games = self.games
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._move = np.zeros(1, np.int64)
        self._looker = np.zeros(1, np.int8)
        self._step = games.game.loops.step
        self._step_arguments = (games.state, self._move, games._everybody, False, *games._outputs())
        self._observe = games.game.loops.observe[games.observation]
        self._shape = (1, *games.observation_shape)
        self._legal, self._seat = games._legal[0].view(np.int8), games._seat

    # -- PettingZoo's interface --------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``Dict(observation=Box int8, action_mask=Box int8)``."""
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """``Discrete(A)``."""
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: that of ``seed``, or, without one, the next of the stream.

        The first game of all, without a seed, is a random one. ``options`` is not used.
        """
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> np.uint64(1))
        self.games.reset(seeds=seed)
        self._seeded = True
        self._begin()
        if self._screen is not None:
            self._screen.begin()
            self._show()

    def _begin(self) -> None:
        """Set the dicts of a game under way, or of a finished one that was loaded."""
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, Any] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_moves()} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._select()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """The agents to act, one after another, until all have been told of the end."""
        if "agent_selection" not in self.__dict__:
            raise ValueError("agent_iter() but no game is under way: call reset() first")
        return super().agent_iter(max_iter)

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """Observation, cumulative reward, termination, truncation and info of ``agent_selection``."""
        if not self.agents and "agent_selection" in self.__dict__:
            raise ValueError("last() but all agents have been told of the end: call reset()")
        return super().last(observe)

    def step(self, action: Any) -> None:
        """Make the move of ``agent_selection``; ``None`` when that agent's game is over.

        Raises
        ------
        ValueError
            For an action outside the space, an illegal one (unless ``illegal="lose"``), or any action
            after the end. The game is untouched then.
        """
        if not self.agents:
            raise ValueError(f"step({action!r}) but no game is under way: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"the game is over for {agent}: action {action!r}, expected None")
            self._was_dead_step(None)
            return
        number = self._check(action)
        if not self._legal[number]:
            if self.illegal == "raise":
                raise ValueError(complaint(self.games, 0, number))
            self._end(dict.fromkeys(self.agents, 0) | {agent: -1}, truncated=False)
            return
        if self._screen is not None:
            self._screen.note(self.games, number)
        self._move[0] = number
        self._step(*self._step_arguments)
        self.infos[agent] = {"action_mask": self._no_moves()}
        self._select()
        if self._screen is not None:
            self._show()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What ``agent`` may see now, to act or not; new arrays but for the mask of ``infos``."""
        self._looker[0] = self._seat_of(agent)
        if "infos" not in self.__dict__:
            raise ValueError(f"observe({agent!r}) but no game is under way: call reset() first")
        out = np.empty(self._shape, np.int8)
        self._observe(self.games.state, self._looker, out)
        info = self.infos.get(agent)
        mask = self._no_moves() if info is None else info["action_mask"]
        return {"observation": out[0], "action_mask": mask}

    def render(self) -> Any:
        """The whole state, by ``render_mode``: text, a (height, width, 3) uint8 frame, or, in the window
        or without a mode, nothing."""
        return None if self._screen is None else self._screen.render(self.games)

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._screen is not None:
            self._screen.close()

    # -- what search and notebooks need ------------------------------------------------------

    def clone(self) -> Self:
        """An independent copy, in the middle of a game too."""
        return copy.deepcopy(self)

    def state_dict(self) -> StateDict:
        """The whole state as plain JSON values, in the notation."""
        return self.games.state_dict(0)

    def load_state_dict(self, state: StateDict) -> None:
        """Go on from a state in the notation; ``ValueError`` says what is wrong in it."""
        self.games.load_state_dict(0, state)
        self._seeded = True
        self._begin()

    def reseed(self, seed: int) -> None:
        """Give the chance to come another stream."""
        self.games.reseed(seed=seed)
        self._seeded = True

    def resample_hidden(self, agent: str, seed: int) -> None:
        """Redraw all that ``agent`` cannot see, consistently with all it has seen."""
        self.games.resample_hidden(seat=self._seat_of(agent), seed=seed)
        mover = self.agent_selection
        if self.agents and not (self.terminations[mover] or self.truncations[mover]):
            self._select()  # the mover may have other moves now

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, and the game as the agent to act sees it.

        When the game is over all lies open, as it does for ``env.games.picture()`` at any time.
        """
        if "agent_selection" not in self.__dict__:
            return fragment({"game": self.games.game.title, "state": "call reset() first"})
        facts = facts_of_game(self.games, 0)
        if not self.games.done[0] and (not self.agents or any(self.terminations.values())):
            facts |= {"to act": None, "result": "ended by an illegal move"}
        last = self._screen.last if self._screen else ()
        return fragment(facts, view(self.games, 0, onlooker(self.games, 0), last))

    # -- inner workings ----------------------------------------------------------------------

    def _show(self) -> None:
        """A window follows the game by itself."""
        if self.render_mode == "human":
            self.render()

    def _seat_of(self, agent: str) -> int:
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"agent is {agent!r}, expected one of {self.possible_agents}")
        return seat

    def _check(self, action: Any) -> int:
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if isinstance(action, bool) or not 0 <= number < len(self._legal):
            raise ValueError(
                f"action {action!r} of {self.agent_selection} in phase "
                f"{self.games.game.phase(self.games.state[0])} is out of range, expected an "
                f"integer in 0..{len(self._legal) - 1}"
            )
        return number

    def _no_moves(self) -> np.ndarray:
        return np.zeros(self._legal.shape, np.int8)

    def _select(self) -> None:
        """Turn to the seat that is to act, or end the game."""
        seat = int(self._seat[0])
        if seat != NOBODY:
            agent = self.possible_agents[seat]
            self.agent_selection = agent
            self.infos[agent] = {"action_mask": self._legal.copy()}
            return
        rewards = self.games.rewards[0].tolist()
        self._end(
            dict(zip(self.possible_agents, rewards, strict=True)),
            truncated=bool(self.games.truncated[0]),
        )

    def _end(self, rewards: dict[str, Any], *, truncated: bool) -> None:
        """All seats end together; the next seat after the mover is the first to be told."""
        seat = self._seats[self.agent_selection]
        self.rewards = rewards
        self._cumulative_rewards = dict(rewards)
        over = dict.fromkeys(self.agents, True)
        alive = dict.fromkeys(self.agents, False)
        self.terminations, self.truncations = (alive, over) if truncated else (over, alive)
        self.infos = {agent: {"action_mask": self._no_moves()} for agent in self.agents}
        self.agent_selection = self.possible_agents[(seat + 1) % len(self.possible_agents)]

    def __getattr__(self, name: str) -> Any:
        """What is missing: nothing that has a name here, or what ``reset`` sets."""
        hint = ": call reset() first" if name in AFTER_RESET else ""
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}{hint}")

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_seats", "_move", "_looker", "_step", "_step_arguments", "_observe", "_shape",
                 "_legal", "_seat")  # fmt: skip
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._bind()


def observation_box(games: Batch) -> spaces.Box:
    """The space of one observation without its mask."""
    view, players = games.game.views[games.observation], games.num_players
    shape = games.observation_shape
    low = np.broadcast_to(np.asarray(view.low(players), np.int8), shape)
    high = np.broadcast_to(np.asarray(view.high(players), np.int8), shape)
    return spaces.Box(low, high, shape, np.int8)


def observation_space(games: Batch) -> spaces.Dict:
    """The space of what ``GameEnv.observe`` returns."""
    mask = spaces.Box(0, 1, (games.num_actions,), np.int8)
    return spaces.Dict({"observation": observation_box(games), "action_mask": mask})
