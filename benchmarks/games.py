"""What is measured for each game, against whom, and which ratios are demanded: data, no measuring.

To add a game, write a function like ``shikoku`` and enter it in ``GAMES``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from workers import Contestant


@dataclass(frozen=True)
class Demand:
    """The best of ``ours`` is to be ``at_least`` times as fast as the best of ``theirs``."""

    text: str
    at_least: float
    ours: tuple[Contestant, ...]
    theirs: tuple[Contestant, ...]


@dataclass(frozen=True)
class Section:
    """Contestants that are measured in turns, round by round."""

    key: str
    title: str
    contestants: tuple[Contestant, ...]
    demands: tuple[Demand, ...] = ()
    clock: str = "cpu"
    """Seconds of what: ``cpu``, the core the process had, or ``wall``, where there are threads."""


@dataclass(frozen=True)
class Limits:
    """What starting may cost: seconds, and bytes of a batch of ``games`` for ``players``."""

    package: str
    where: str
    players: int
    import_seconds: float
    cold_seconds: float
    cached_seconds: float
    games: int
    memory_players: int
    memory_bytes: int


@dataclass(frozen=True)
class Plan:
    """All that is measured for one game."""

    title: str
    sections: tuple[Section, ...]
    limits: Limits


def shikoku(quick: bool) -> Plan:
    """Shikoku, beside hearts of OpenSpiel, Leduc hold'em of Pgx, tic-tac-toe of PettingZoo."""
    where = "shikoku_env.game:SHIKOKU"
    sizes = (512, 4096) if quick else (64, 512, 4096, 16384)
    name = "Shikoku, {players} players"

    whole = {n: our(name, "playouts", where, n, games=4096) for n in (3, 4, 8)}
    smaller = [our(name, "playouts", where, 4, games=size) for size in sizes if size != 4096]
    dealt = our(name, "playouts_from_start", where, 4, games=4096)
    rollouts = Contestant(
        "OpenSpiel hearts, C++ rollouts from dealt hands",
        "peers:openspiel_rollouts",
        {"game": "hearts", "roots": 32, "rollouts": 32},
    )
    games = Contestant(
        "OpenSpiel hearts, C++ whole games",
        "peers:openspiel_games",
        {"game": "hearts", "games": 64},
    )
    playouts = Section(
        "playouts",
        "Random playouts in the kernel",
        (whole[4], rollouts, dealt, games, whole[3], whole[8], *smaller),
        (
            Demand("rollouts from dealt hands, both sides", 10, (dealt,), (rollouts,)),
            Demand("whole games with the deal, both sides", 10, (whole[4],), (games,)),
            Demand("ours with the deal, theirs without", 10, (whole[4],), (rollouts,)),
        ),
    )

    masks = [our(name, "steps", where, 4, games=size, observe=False) for size in sizes]
    seen = [our(name, "steps", where, 4, games=size, observe=True) for size in sizes]
    others = [our(name, "steps", where, n, games=4096, observe=True) for n in (3, 8)]
    hearts = {
        observe: Contestant(
            f"OpenSpiel hearts, Python loop, mask{' and observation' * observe}",
            "peers:openspiel_python",
            {"game": "hearts", "observe": observe, "perfect_recall": True},
        )
        for observe in (False, True)
    }
    leduc = pgx("leduc_holdem", "Leduc hold'em", (4096,) if quick else (64, 1024, 4096), 2**17)
    cards = [
        Contestant(f"RLCard {title}, Python loop", "peers:rlcard_loop", {"game": game})
        for game, title in (("leduc-holdem", "Leduc hold'em"), ("uno", "Uno"))
    ]
    batch = Section(
        "batch",
        "Steps of a batch",
        (*masks, *seen, *others, *hearts.values(), *leduc, *cards),
        (
            Demand("mask and observation, over OpenSpiel hearts", 20, (*seen,), (hearts[True],)),
            Demand("mask and observation, over Pgx Leduc hold'em", 4, (*seen,), leduc),
        ),
    )

    own = {n: our(name, "aec_loop", where, n) for n in (4, 3, 8)}
    raw = pettingzoo("tictactoe_v3", "tic-tac-toe", raw=True)
    wrapped = pettingzoo("tictactoe_v3", "tic-tac-toe", raw=False)
    aec = Section(
        "aec",
        "AEC loop",
        (own[4], raw, own[3], own[8], wrapped),
        (Demand("checks on, over PettingZoo tic-tac-toe raw_env", 1, (own[4],), (raw,)),),
    )
    limits = Limits("shikoku_env", where, 4, 1.5, 15, 1, 4096, 8, 16 * 2**20)
    sections = (playouts, batch, vector(name, where, 4, sizes), aec, threads(name, where, 4))
    return Plan("Shikoku", sections, limits)


SISTERS = (
    ("the Valley", "paiko_env.valley_game:VALLEY", 3),
    *(("Ronin, {players} players", "paiko_env.ronin_game:RONIN", n) for n in (4, 5, 6, 7)),
)


NEAR = 128
"""Games of a batch whose rows, masks and planes stay near the processor: two to four megabytes."""


def paiko(quick: bool) -> Plan:
    """Paikō for two beside chess of OpenSpiel, Pgx and PettingZoo; its sisters beside it."""
    where = "paiko_env.game:PAIKO"
    sizes = (NEAR,) if quick else (64, NEAR, 512, 2048)
    name = "Paikō for two"

    duel = our(name, "playouts", where, 2, games=512)
    sisters = [of_sister(sister, "playouts", games=512) for sister in SISTERS]
    rollouts = Contestant(
        "OpenSpiel chess, C++ rollouts",
        "peers:openspiel_rollouts",
        {"game": "chess", "roots": 1, "rollouts": 16},
    )
    playouts = Section(
        "playouts",
        "Random playouts in the kernel",
        (duel, rollouts, *sisters),
        (
            Demand("over rollouts of chess", 5, (duel,), (rollouts,)),
            *over_duel(sisters, duel),
        ),
    )

    masks = [our(name, "steps", where, 2, games=size, observe=False) for size in sizes]
    seen = [our(name, "steps", where, 2, games=size, observe=True) for size in sizes]
    near = [of_sister(sister, "steps", games=NEAR, observe=True) for sister in SISTERS]
    chess = Contestant(
        "OpenSpiel chess, Python loop, mask, tensor as a list",
        "peers:openspiel_lists",
        {"game": "chess"},
    )
    fastest = Contestant(
        "OpenSpiel chess, Python loop, mask and tensor written into numpy",
        "peers:openspiel_python",
        {"game": "chess", "observe": True, "perfect_recall": False},
    )
    scan = pgx("chess", "chess", (16,) if quick else (1, 16, 64), 1024, gumbel=False)
    batch = Section(
        "batch",
        "Steps of a batch",
        (*masks, *seen, *near, chess, fastest, *scan),
        (
            Demand("mask and planes, over OpenSpiel chess, list", 10, (*seen,), (chess,)),
            Demand("mask and planes, over OpenSpiel chess, numpy", 10, (*seen,), (fastest,)),
            Demand("mask and planes, over Pgx chess", 75, (*seen,), scan),
            *over_duel(near, seen[sizes.index(NEAR)]),
        ),
    )

    own = our(name, "aec_loop", where, 2)
    raw = pettingzoo("chess_v6", "chess", raw=True)
    single = [of_sister(sister, "aec_loop") for sister in SISTERS]
    aec = Section(
        "aec",
        "AEC loop",
        (own, raw, *single),
        (
            Demand("checks on, over PettingZoo chess raw_env", 50, (own,), (raw,)),
            *over_duel(single, own),
        ),
    )
    boards = Section(
        "threat",
        "Threat and cover of both sides from scratch, boards a second",
        (our(name, "surveys", where, 2, games=512),),
    )
    limits = Limits("paiko_env", where, 2, 1.5, 40, 1, 1024, 2, 64 * 2**20)
    sections = (playouts, batch, vector(name, where, 2, sizes), aec, boards)
    return Plan("Paikō", sections, limits)


# -- contestants and sections that every game has ------------------------------------------------


def our(name: str, function: str, where: str, players: int, **arguments: Any) -> Contestant:
    """A contestant of this library; its label says what differs from its neighbours."""
    words = [name.format(players=players)]
    if function in PARTS:
        words.append(PARTS[function])
    if "games" in arguments:
        words.append(f"{arguments['games']} games")
    if "observe" in arguments:
        words.append("mask and observation" if arguments["observe"] else "mask")
    if "threads" in arguments:
        words.append(f"{arguments['threads']} thread{'s' * (arguments['threads'] > 1)}")
    return Contestant(
        ", ".join(words),
        f"ours:{function}",
        {"where": where, "players": players, **arguments},
        many_cores="threads" in arguments,
    )


def of_sister(sister: tuple[str, str, int], function: str, **arguments: Any) -> Contestant:
    """A contestant of one of Paikō's other games."""
    name, where, players = sister
    return our(name, function, where, players, **arguments)


def over_duel(sisters: Sequence[Contestant], duel: Contestant) -> list[Demand]:
    """Per decision, the other games are to be at most twice as slow as the game for two."""
    names = [name.format(players=players) for name, _, players in SISTERS]
    return [
        Demand(f"{name} over the duel", 0.5, (sister,), (duel,))
        for name, sister in zip(names, sisters, strict=True)
    ]


def vector(name: str, where: str, players: int, sizes: Sequence[int]) -> Section:
    """The vector environment: one learner, the others random."""
    envs = tuple(our(name, "vector_steps", where, players, games=size) for size in sizes)
    return Section("vector", "Vector environment, steps of the learner", envs)


def threads(name: str, where: str, players: int) -> Section:
    """What a second thread brings; by the clock on the wall."""
    contestants = tuple(
        our(name, function, where, players, games=16384, threads=count, **more)
        for function, more in (
            ("playouts", {}),
            ("steps", {"observe": False}),
            ("steps", {"observe": True}),
            ("vector_steps", {}),
        )
        for count in (1, 2)
    )
    return Section("threads", "Threads", contestants, clock="wall")


def pgx(
    game: str, title: str, sizes: Sequence[int], decisions: int, gumbel: bool = True
) -> tuple[Contestant, ...]:
    """Pgx at several batch sizes; a call makes about so many decisions."""
    return tuple(
        Contestant(
            f"Pgx {title}, scan, {size} games",
            "peers:pgx_scan",
            {"game": game, "games": size, "steps": max(8, decisions // size), "gumbel": gumbel},
        )
        for size in sizes
    )


def pettingzoo(game: str, title: str, raw: bool) -> Contestant:
    """An environment of PettingZoo, bare or in its wrappers."""
    door = "raw_env" if raw else "env"
    return Contestant(
        f"PettingZoo {title}, {door}", "peers:pettingzoo_loop", {"game": game, "raw": raw}
    )


PARTS = {
    "playouts": "whole games",
    "playouts_from_start": "from the deal on",
    "vector_steps": "vector environment",
    "surveys": "30 tiles on each board",
}

GAMES: dict[str, Callable[[bool], Plan]] = {"shikoku": shikoku, "paiko": paiko}
