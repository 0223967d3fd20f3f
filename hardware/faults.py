"""A line that misbehaves on demand: the simulator's faults, drawn from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Faults:
    """Shares (0..1) of lines that are dropped, doubled, or have a byte spoilt; `delay` holds a line back behind the next."""

    drop: float = 0.0
    double: float = 0.0
    spoil: float = 0.0
    delay: float = 0.0
    seed: int = 0
    damaged: int = 0
    _held: bytes = b""
    _random: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        self._random.seed(self.seed)

    def pass_on(self, data: bytes) -> bytes:
        """What the other end gets of whole lines."""
        out = b""
        for line in data.splitlines(keepends=True):
            chance = self._random.random()
            if chance < self.drop:
                self.damaged += 1
                continue
            chance -= self.drop
            if chance < self.double:
                self.damaged += 1
                out += line + line
            elif chance < self.double + self.spoil:
                self.damaged += 1
                spoilt = bytearray(line)
                spoilt[self._random.randrange(len(spoilt))] ^= 1 << self._random.randrange(8)
                out += bytes(spoilt)
            elif chance < self.double + self.spoil + self.delay and not self._held:
                self.damaged += 1
                self._held = line
                continue
            else:
                out += line
            out, self._held = out + self._held, b""
        return out
