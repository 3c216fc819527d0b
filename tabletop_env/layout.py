"""Named blocks of numbers: where an action or a feature stands, and the table that tells readers.

Kernels take their offsets from a ``Layout``, and the documentation prints the same object, so the two
cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """``size`` neighbouring numbers from ``start``; a feature's values lie in ``low..high``."""

    name: str
    size: int
    about: str
    high: int = 1
    low: int = 0
    start: int = 0

    @property
    def stop(self) -> int:
        """The first number behind the block."""
        return self.start + self.size


class Layout:
    """Blocks laid end to end.

    Parameters
    ----------
    blocks
        In order; their ``start`` is set here.
    start
        The first number of the first block.
    """

    def __init__(self, blocks: Iterable[Block], start: int = 0) -> None:
        self.blocks: dict[str, Block] = {}
        self._first = at = start
        for block in blocks:
            if block.name in self.blocks:
                raise ValueError(f"two blocks are named {block.name!r}")
            self.blocks[block.name] = Block(
                block.name, block.size, block.about, block.high, block.low, at
            )
            at += block.size
        self.size = at - start

    def __getitem__(self, name: str) -> Block:
        return self.blocks[name]

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks.values())

    def starts(self, *names: str) -> tuple[int, ...]:
        """Where several blocks begin."""
        return tuple(self.start(name) for name in names)

    def start(self, name: str) -> int:
        """Where a block begins."""
        return self.blocks[name].start

    def block_of(self, number: int) -> Block:
        """The block that holds ``number``; ``ValueError`` if none does."""
        for block in self:
            if block.start <= number < block.stop:
                return block
        last = self._first + self.size - 1
        raise ValueError(f"{number} lies in no block; the layout holds {self._first}..{last}")

    def highs(self) -> list[int]:
        """The largest value of every feature, in order."""
        return [block.high for block in self for _ in range(block.size)]

    def lows(self) -> list[int]:
        """The least value of every feature, in order."""
        return [block.low for block in self for _ in range(block.size)]

    def table(self) -> str:
        """A Markdown table: index range, values, meaning."""
        lines = ["| index | block | values | meaning |", "| --- | --- | --- | --- |"]
        for block in self:
            last = block.stop - 1
            index = f"{block.start}" if block.size == 1 else f"{block.start}..{last}"
            lines.append(f"| {index} | {block.name} | {block.low}..{block.high} | {block.about} |")
        return "\n".join(lines)
