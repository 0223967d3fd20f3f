"""Weights that a training begins with: a trainer's own file, or an ONNX file of the net or of one like it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn


def begin(net: nn.Module, path: Path, *x: torch.Tensor, maps: bool = False, partly: bool = False) -> None:
    """Puts the weights of ``path`` into ``net``; convolutions that an ONNX file lacks stay as they are. With ``partly`` the file may be of
    a net that only begins like this one, and what fits is taken.

    An ONNX file holds convolutions with their normalisation folded in, in the order in which they are passed, which must be that of the
    net's modules. It is taken out again by the spread that the inputs ``x`` show; of ``maps``, strips as bytes, some files begin with a
    convolution that takes the bytes as they are (`checkers.train.folded`). Raises SystemExit where an ONNX file is of another net."""
    if path.suffix != ".onnx":
        own, weights = net.state_dict(), torch.load(path)
        fitting = {name: w for name, w in weights.items() if name in own and w.shape == own[name].shape}
        net.load_state_dict(own | fitting if partly else weights)
        return
    graph = onnx.load(str(path)).graph
    stored = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    folded = []
    if maps and graph.node[0].op_type == "Conv":
        first, bias = (stored.pop(name) for name in graph.node[0].input[1:])
        folded = [first * 127.5, bias + 127.5 * first.sum((1, 2, 3))]
    folded += [stored.pop(name) for name in list(stored) if name.startswith("onnx::Conv")]
    hooks = []
    with torch.no_grad():
        named = []
        for name, weight in net.named_parameters():
            if name in stored and stored[name].shape == weight.shape:
                weight.copy_(stored.pop(name))
                named.append(weight)
        shift: torch.Tensor | None = None
        for layer in net.modules():
            if isinstance(layer, nn.Conv2d) and layer.bias is None:
                shift = None
                if folded and folded[0].shape == layer.weight.shape and not any(layer.weight is weight for weight in named):
                    layer.weight.copy_(folded.pop(0))
                    shift = folded.pop(0)
            elif isinstance(layer, nn.BatchNorm2d) and shift is not None:
                hooks.append(layer.register_forward_pre_hook(partial(_unfold, shift)))
        if (stored or folded) and not partly:
            raise SystemExit(f"{path} holds the weights of another net: give one that this trainer wrote.")
        net.eval()
        net(*x)
        for hook in hooks:
            hook.remove()
        net.train()


def _unfold(shift: torch.Tensor, norm: nn.Module, seen: tuple[torch.Tensor]) -> None:
    """Makes a normalisation that does nothing to what it sees but add the ``shift``."""
    assert isinstance(norm, nn.BatchNorm2d) and norm.running_mean is not None and norm.running_var is not None
    mean, var = seen[0].mean((0, 2, 3)), seen[0].var((0, 2, 3))
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(var)
    norm.weight.copy_(torch.sqrt(var + norm.eps))
    norm.bias.copy_(mean + shift)
