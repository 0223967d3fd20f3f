"""How exactly a trainer calculates: in half precision only where the processor does so faster."""

from __future__ import annotations

import torch


def half() -> bool:
    """Whether the processor multiplies in bfloat16 itself; where it only imitates that, a step takes ten times as long."""
    return bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def autocast() -> torch.autocast:
    """A context for a net's forward pass: bfloat16 where that is faster, float32 elsewhere."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=half())
