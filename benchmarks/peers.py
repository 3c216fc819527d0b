"""Other libraries as contestants, one function each, in the fastest form that we found for it.

Every function imports its library itself, so that what is not installed is skipped. How each is
meant, and where the comparison limps, stands in README.md.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import Loop

# -- OpenSpiel -----------------------------------------------------------------------------------


def openspiel_rollouts(game: str, roots: int, rollouts: int) -> Loop:
    """Random rollouts in C++ from states whose first chance (the deal) is over.

    An MCTS search of one simulation evaluates its root and does nothing else: its
    ``RandomRolloutEvaluator`` clones the state, plays to the end at random and takes the returns,
    ``rollouts`` times. It does not say how many moves it made, so the mean length is counted
    beforehand, by other random games from the same states (in hearts they are all equally long).
    """
    import pyspiel

    rules = pyspiel.load_game(game)
    states = [_after_first_chance(rules, random.Random(seed)) for seed in range(roots)]
    bots = _random_bots(rules)
    lengths: list[list[int]] = [[] for _ in states]  # of games from the same state
    for seed in range(1024):
        state = states[seed % roots].clone()
        before = state.move_number()
        pyspiel.evaluate_bots(state, bots, seed)
        lengths[seed % roots].append(state.move_number() - before)
    mean = statistics.fmean(map(statistics.fmean, lengths))
    variance = statistics.fmean(map(statistics.variance, lengths))
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
    search = pyspiel.MCTSBot(
        rules, evaluator, uct_c=1.0, max_simulations=1, max_memory_mb=1, solve=False, seed=1,
        verbose=False,
    ).mcts_search  # fmt: skip

    def run() -> int:
        for state in states:
            search(state)
        return round(mean * roots * rollouts)

    error = (variance / 1024) ** 0.5 / mean
    return Loop(run, {"decisions_a_game": mean, "relative_error_of_length": error})


def openspiel_games(game: str, games: int) -> Loop:
    """Whole random games in C++ (``evaluate_bots`` with uniform random bots), chance included.

    The number of chance events has to be the same in every game, as it is in hearts (53) and chess.
    """
    import pyspiel

    rules = pyspiel.load_game(game)
    bots = _random_bots(rules)
    seeds = iter(range(2**62))
    chances = set()
    moves = []
    for _ in range(16):
        state = rules.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        chances.add(sum(step.player < 0 for step in state.full_history()))
        moves.append(state.move_number())
    (chance,) = chances

    def run() -> int:
        made = 0
        for _ in range(games):
            state = rules.new_initial_state()
            pyspiel.evaluate_bots(state, bots, next(seeds) % 2**31)
            made += state.move_number() - chance
        return made

    decisions = statistics.fmean(moves) - chance
    return Loop(run, {"decisions_a_game": decisions, "chance_a_decision": chance / decisions})


def openspiel_python(game: str, observe: bool, perfect_recall: bool, steps: int = 512) -> Loop:
    """The Python loop over ``pyspiel`` states, mask in numpy; if ``observe``, the tensor in numpy.

    The mask is set from ``legal_actions``, which is faster than to convert ``legal_actions_mask``.
    The tensor is written by C++ into a numpy array (``open_spiel.python.observation``), far faster
    than to convert the list that ``observation_tensor`` returns. Chance must be uniform, as in
    hearts; its outcomes then come from ``legal_actions`` as well.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    rules = pyspiel.load_game(game)
    kind = pyspiel.IIGObservationType(perfect_recall=perfect_recall)
    observation = make_observation(rules, kind if perfect_recall else None)
    mask = np.zeros(rules.num_distinct_actions(), np.bool_)
    uniform = random.random
    state = rules.new_initial_state()

    def run() -> int:
        nonlocal state
        made = 0
        while made < steps:
            if state.is_terminal():
                state.returns()
                state = rules.new_initial_state()
            legal = state.legal_actions()
            if not state.is_chance_node():
                mask.fill(False)
                mask[legal] = True
                if observe:
                    observation.set_from(state, state.current_player())
                made += 1
            state.apply_action(legal[int(uniform() * len(legal))])
        return made

    size = observation.tensor.nbytes if observe else 0
    return Loop(run, {"actions": len(mask), "observation_bytes": size})


def openspiel_lists(game: str, steps: int = 256) -> Loop:
    """The same loop by the methods that OpenSpiel's states have: the tensor stays the list that
    ``observation_tensor`` returns, since to make an array of it takes as long again; the mask is set from
    ``legal_actions``, which is faster than ``legal_actions_mask``.
    """
    import pyspiel

    rules = pyspiel.load_game(game)
    mask = np.zeros(rules.num_distinct_actions(), np.bool_)
    uniform = random.random
    state = rules.new_initial_state()

    def run() -> int:
        nonlocal state
        for _ in range(steps):
            if state.is_terminal():
                state.returns()
                state = rules.new_initial_state()
            legal = state.legal_actions()
            mask.fill(False)
            mask[legal] = True
            state.observation_tensor()
            state.apply_action(legal[int(uniform() * len(legal))])
        return steps

    size = 4 * rules.observation_tensor_size()
    return Loop(run, {"actions": rules.num_distinct_actions(), "observation_bytes": size})


def _after_first_chance(rules: Any, chosen: random.Random) -> Any:
    state = rules.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chosen.choices(outcomes, weights)[0])
    return state


def _random_bots(rules: Any) -> list[Any]:
    import pyspiel

    return [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(rules.num_players())]


# -- Pgx -----------------------------------------------------------------------------------------


def pgx_scan(game: str, games: int, steps: int, gumbel: bool) -> Loop:
    """Pgx's own random play: ``jit`` of a ``lax.scan`` of ``vmap`` of its step with auto-reset.

    Every step computes mask and observation. Actions are random legal ones, chosen inside the scan:
    by ``jax.random.categorical`` if ``gumbel``, otherwise by one number and the mask's running sum;
    the one is faster for few actions, the other for many.
    """
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    rules = pgx.make(game)
    step = jax.vmap(auto_reset(rules.step, rules.init))

    def choose(key: Any, mask: Any) -> Any:
        if gumbel:
            return jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)
        below = jnp.cumsum(mask, axis=-1, dtype=jnp.int32)
        number = (jax.random.uniform(key, (games,)) * below[:, -1]).astype(jnp.int32)
        return jnp.argmax(below > number[:, None], axis=-1)

    def body(carry: Any, _: Any) -> Any:
        state, key = carry
        key, to_choose, to_step = jax.random.split(key, 3)
        action = choose(to_choose, state.legal_action_mask)
        return (step(state, action, jax.random.split(to_step, games)), key), None

    @jax.jit
    def scan(carry: Any) -> Any:
        return jax.lax.scan(body, carry, None, length=steps)[0]

    key, first = jax.random.split(jax.random.PRNGKey(0))
    carry = (jax.jit(jax.vmap(rules.init))(jax.random.split(first, games)), key)

    def run() -> int:
        nonlocal carry
        carry = jax.block_until_ready(scan(carry))
        return games * steps

    seen = carry[0].observation
    return Loop(
        run,
        {
            "actions": int(rules.num_actions),
            "observation_bytes": int(seen.nbytes // games),
        },
    )


# -- RLCard and PettingZoo -----------------------------------------------------------------------


def rlcard_loop(game: str, steps: int = 256) -> Loop:
    """RLCard's ``env.step``, whose states carry the observation and the legal actions."""
    import rlcard

    env = rlcard.make(game, config={"seed": 1})
    uniform = random.random
    state, _ = env.reset()

    def run() -> int:
        nonlocal state
        for _ in range(steps):
            if env.is_over():
                env.get_payoffs()
                state, _ = env.reset()
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(uniform() * len(legal))])
        return steps

    return Loop(run, {"actions": env.num_actions, "observation_bytes": int(state["obs"].nbytes)})


def pettingzoo_loop(game: str, raw: bool = True) -> Loop:
    """``last``, a random legal action, ``step``: the loop that our AEC door runs in."""
    import importlib

    from tabletop_env import measure

    module = importlib.import_module(f"pettingzoo.classic.{game}")
    make: Callable[[], Any] = module.raw_env if raw else module.env
    return Loop(measure.aec_loop(make()), {})
