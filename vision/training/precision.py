"""How exactly a trainer calculates: in half precision only where the processor does so faster."""

from __future__ import annotations

import torch


def half() -> bool:
    """Whether the processor multiplies in bfloat16 itself; where it only imitates that, a step takes ten times as long."""
    return bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def autocast(device: torch.device | None = None) -> torch.autocast:
    """A context for a net's forward pass: bfloat16 where that is faster, as on every GPU, float32 elsewhere."""
    kind = device.type if device else "cpu"
    return torch.autocast(kind, dtype=torch.bfloat16, enabled=kind != "cpu" or half())
