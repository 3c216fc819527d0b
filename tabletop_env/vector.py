"""Any game for one learner: Gymnasium's ``VectorEnv`` and ``Env``, the other seats played by policies.

A step is the learner's move and all that happens until the learner is to act again, or the game ends.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tabletop_env.aec import observation_box
from tabletop_env.batch import Batch
from tabletop_env.check import check_count, check_seed, integers
from tabletop_env.display import facts_of_batch, facts_of_game, fragment, view
from tabletop_env.game import Game
from tabletop_env.policies import RandomPolicy, choose_actions, seat_policies
from tabletop_env.render import FPS, Screen, check_mode, render, render_modes
from tabletop_env.rng import choice_below

RANDOM_SEAT = "random"


class GameVectorEnv(VectorEnv[npt.NDArray[np.int8], npt.NDArray[np.int64], np.ndarray]):
    """Many games, one learner in each.

    Parameters
    ----------
    game
        The rules.
    num_envs
        B, the number of games.
    num_players
        Number of seats.
    seat
        The learner's: an agent's name, a seat number, or ``"random"``: a seat drawn anew for every
        game from its stream.
    opponents
        Who plays the other seats: a policy's name, a function of observations and masks, a list of
        them in seat order, or a dict from agent to them (who is not named plays at random).
    autoreset_mode
        One of Gymnasium's three, as ``AutoresetMode`` or its value; same-step by default.
    render_mode
        ``None``, ``"ansi"`` or ``"rgb_array"``: ``render`` returns what each learner sees.
    num_threads, observation, options
        As for ``Batch``.

    Notes
    -----
    Observations are (B, *shape) int8. ``infos["action_mask"]`` is (B, A) int8 and ``infos["seat"]``
    (B,) int64; each has its Gymnasium mask ``_action_mask``, ``_seat``. Rewards (B,) float64 are the
    learner's own.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": FPS}

    def __init__(
        self,
        game: Game,
        num_envs: int,
        num_players: int,
        *,
        seat: str | int = 0,
        opponents: Any = "random",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        num_threads: int = 1,
        observation: str | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = check_mode(game, render_mode, window=False)
        self.num_envs = check_count("num_envs", num_envs)
        self.games = Batch(
            game,
            num_envs,
            num_players,
            num_threads=num_threads,
            observation=observation,
            **options,
        )
        self.autoreset_mode = _find_mode(autoreset_mode)
        self.metadata = {
            "render_modes": list(render_modes(game, window=False)),
            "render_fps": FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.single_observation_space = observation_box(self.games)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._fixed_seat = self._find_seat(seat)
        self._opponents = seat_policies(game, self.games.num_players, opponents)
        self._seats = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._seeded = False
        self._broken = False  # an opponent failed: games wait for moves that are not the learner's

    def _find_seat(self, seat: str | int) -> int | None:
        """The learner's seat, or ``None`` where it is drawn."""
        agents = self.games.agents
        if seat == RANDOM_SEAT:
            return None
        if isinstance(seat, str) and seat in agents:
            return agents.index(seat)
        if (
            isinstance(seat, int | np.integer)
            and not isinstance(seat, bool)
            and 0 <= seat < len(agents)
        ):
            return int(seat)
        raise ValueError(
            f"seat is {seat!r}, expected one of {agents}, 0..{len(agents) - 1} or {RANDOM_SEAT!r}"
        )

    # -- Gymnasium's interface ---------------------------------------------------------------

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Begin all games, or those of ``options["reset_mask"]`` (B,) bool.

        ``seed``: one integer (game i gets ``seed + i``), a list with one (or ``None``) a game, or
        ``None``: the next games of the streams, the first of which is a random one.
        """
        mask = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise ValueError(
                    f"reset_mask is {mask!r}, expected ({self.num_envs},) bool with one true entry"
                )
        self._seed(seed, mask)
        self._start(mask)
        return self.games.observe(self._seats), self._infos(mask)

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        npt.NDArray[np.int8],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """The learner's moves (B,), then the others' until the learner is to act or the game ends.

        Raises
        ------
        ValueError
            For an illegal move, and in mode ``DISABLED`` for any move in a game that is over; no game
            was touched then. In mode ``NEXT_STEP`` the action in a game that is over is not looked at.
        ResetNeeded
            Before the first reset, and after an opponent's policy has raised in the middle of a step.
        """
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("step() before reset()")
        if self._broken:
            raise gymnasium.error.ResetNeeded("an opponent failed in the last step(): reset()")
        moves = integers("actions", actions, self.num_envs)
        fresh = self._over.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and fresh.any():
            game = int(np.flatnonzero(fresh)[0])
            raise ValueError(f"game {game} is over: reset it with options={{'reset_mask': …}}")
        alive = np.flatnonzero(~fresh)
        if len(alive):
            self.games.step(moves[alive], alive)
            self._advance()
        if fresh.any():  # only in mode NEXT_STEP
            self._start(fresh)
        over = self.games.done
        self._over = over.copy()
        rewards = self._rewards()
        terminated, truncated = self.games.terminated.copy(), self.games.truncated.copy()
        infos: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._final_infos(over)
            self._start(over)
        infos |= self._infos(np.ones(self.num_envs, np.bool_))
        return self.games.observe(self._seats), rewards, terminated, truncated, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(B, A) bool: the learner's legal actions now; a copy."""
        return self.games.legal.copy()

    def render(self) -> tuple[Any, ...] | None:
        """One text or frame a game, as its learner sees it."""
        if self.render_mode is None:
            return None
        seats = enumerate(self._seats.tolist())
        return tuple(render(self.games, row, self.render_mode, seat) for row, seat in seats)

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, and game 0 as its learner sees it."""
        facts = facts_of_batch(self.games)
        if not self._seeded:
            return fragment(facts | {"state": "call reset() first"})
        return fragment(facts, view(self.games, 0, int(self._seats[0])))

    # -- inner workings ----------------------------------------------------------------------

    def _seed(self, seed: Any, mask: npt.NDArray[np.bool_]) -> None:
        """Give the games of ``mask`` new streams, where a seed says so."""
        rows, seeds = np.flatnonzero(mask), seed
        if np.ndim(seed):
            if len(seed) != self.num_envs:
                raise ValueError(f"seed has {len(seed)} entries, expected {self.num_envs}")
            rows = np.array([row for row in rows if seed[row] is not None], np.int64)
            seeds = np.array([check_seed(seed[row]) for row in rows], np.uint64)
        elif seed is not None:
            check_seed(seed, self.num_envs)
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(int(seed))
        if not self._seeded:  # games without a seed are random ones
            self.games.reseed(seed=int(np.random.SeedSequence().generate_state(1, np.uint32)[0]))
            self._seeded = True
        if seed is not None:
            self.games.reseed(rows, seeds)

    def _start(self, mask: npt.NDArray[np.bool_]) -> None:
        """Begin the games of ``mask``, seat their learners, and play up to their first move.

        A game that ends before its learner's first move is passed over for the next of its stream.
        """
        self._over[mask] = False
        while mask.any():
            self.games.reset(mask)
            self._seat_learners(mask)
            self._advance()
            mask = mask & self.games.done

    def _seat_learners(self, mask: npt.NDArray[np.bool_]) -> None:
        """Where the learners of the games of ``mask`` sit."""
        if self._fixed_seat is not None:
            self._seats[mask] = self._fixed_seat
            return
        for row in np.flatnonzero(mask):
            self._seats[row] = choice_below(self.games.state[row], self.games.num_players)

    def _advance(self) -> None:
        """Let the others act until the learner is to act or the game is over."""
        games = self.games
        if all(type(policy) is RandomPolicy for policy in self._opponents):
            games.playout(until=self._seats)
            return
        self._broken = True
        while len(rows := np.flatnonzero((games.seat != self._seats) & ~games.done)):
            games.step(choose_actions(games, self._opponents, rows), rows)
        self._broken = False

    def _rewards(self) -> npt.NDArray[np.float64]:
        return self.games.rewards[np.arange(self.num_envs), self._seats].astype(np.float64)

    def _infos(self, mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "action_mask": self.games.legal.astype(np.int8),
            "_action_mask": mask.copy(),
            "seat": self._seats.copy(),
            "_seat": mask.copy(),
        }

    def _final_infos(self, over: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """What Gymnasium hands out of games that end in mode ``SAME_STEP``."""
        rows = np.flatnonzero(over)
        final_obs = np.full(self.num_envs, None, object)
        for row, last in zip(rows, self.games.take(rows).observe(self._seats[rows]), strict=True):
            final_obs[row] = last
        return {
            "final_obs": final_obs,
            "_final_obs": over.copy(),
            "final_info": self._infos(over),
            "_final_info": over.copy(),
        }


def _find_mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        values = [each.value for each in AutoresetMode]
        raise ValueError(f"autoreset_mode is {mode!r}, expected one of {values}") from None


class GameSeatEnv(gymnasium.Env[npt.NDArray[np.int8], np.int64]):
    """One game, one learner: ``GameVectorEnv`` with a single game, as a plain ``Env``.

    ``info["action_mask"]`` (A,) int8 and ``action_masks()`` (A,) bool tell what is legal.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": FPS}

    def __init__(
        self, game: Game, num_players: int, *, render_mode: str | None = None, **arguments: Any
    ) -> None:
        self.render_mode = check_mode(game, render_mode)
        self._screen = None if render_mode is None else Screen(render_mode)
        self.metadata = {"render_modes": list(render_modes(game)), "render_fps": FPS}
        self.envs = GameVectorEnv(
            game, 1, num_players, autoreset_mode=AutoresetMode.DISABLED, **arguments
        )
        self.observation_space = self.envs.single_observation_space
        self.action_space = self.envs.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Begin a game: that of ``seed``, or the next of the stream."""
        super().reset(seed=seed)
        observations, infos = self.envs.reset(seed=seed)
        self._show()
        return observations[0], self._info(infos)

    def step(self, action: Any) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """The learner's move, and all that happens until it is to act again or the game ends."""
        if self.envs.games.done[0]:
            raise ValueError(f"the game is over: action {action!r}, but call reset() first")
        observations, rewards, terminated, truncated, infos = self.envs.step(
            np.asarray(action).reshape(1)
        )
        done = bool(terminated[0]), bool(truncated[0])
        self._show()
        return observations[0], float(rewards[0]), *done, self._info(infos)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """(A,) bool: the learner's legal actions now."""
        return self.envs.action_masks()[0]

    def render(self) -> Any:
        """What the learner sees, by ``render_mode``: text, a (height, width, 3) uint8 frame, or, in the
        window or without a mode, nothing."""
        return None if self._screen is None else self._screen.render(self.envs.games, self._seat)

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._screen is not None:
            self._screen.close()

    @property
    def _seat(self) -> int:
        return int(self.envs._seats[0])

    def _show(self) -> None:
        """A window follows the game by itself."""
        if self.render_mode == "human":
            self.render()

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, and the game as the learner sees it."""
        games = self.envs.games
        if not self.envs._seeded:
            return fragment({"game": games.game.title, "state": "call reset() first"})
        return fragment(facts_of_game(games, 0), view(games, 0, self._seat))

    def _info(self, infos: dict[str, Any]) -> dict[str, Any]:
        return {"action_mask": infos["action_mask"][0], "seat": int(infos["seat"][0])}
