"""Register a game's doors with Gymnasium and, where the installed version has one, PettingZoo."""

from __future__ import annotations

from types import ModuleType


def register(identifier: str, doors: ModuleType) -> None:
    """Make ``identifier`` known; ``doors`` is a module with ``env``, ``seat_env`` and ``vector_env``."""
    import gymnasium
    import pettingzoo

    where = doors.__name__
    if identifier not in gymnasium.registry:
        gymnasium.register(
            identifier,
            entry_point=f"{where}:seat_env",
            vector_entry_point=f"{where}:vector_env",
        )
    if hasattr(pettingzoo, "register") and identifier not in pettingzoo.aec_registry:
        pettingzoo.register("aec", identifier, f"{where}:env")
