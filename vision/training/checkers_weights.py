"""Weights that the checker nets' training begins with: its own file, or an ONNX file of either net."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional


def begin(net: nn.Module, path: Path, maps: torch.Tensor) -> None:
    """Takes over the weights of ``path`` that fit: all of a net of the same cut; of another's the layers they share.

    An ONNX file holds convolutions with their normalisation folded in; it is taken out again by the spread that the strip
    ``maps`` (n, 14, length, width), bytes as floats, show."""
    if path.suffix != ".onnx":
        own = net.state_dict()
        weights = torch.load(path)
        net.load_state_dict(own | {name: w for name, w in weights.items() if name in own and w.shape == own[name].shape})
        return
    graph = onnx.load(str(path)).graph
    stored = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}
    kept = [t for name, t in stored.items() if name.startswith("onnx::Conv")]
    if graph.node[0].op_type == "Conv":  # made for bytes as they are (`train_checkers.folded`)
        kept[0] = kept[0] * 127.5
        kept[1] = kept[1] + kept[0].sum((1, 2, 3))
    convolutions = iter(kept)
    trunk = net.get_submodule("trunk")
    with torch.no_grad():
        flow = functional.pad(maps, (1, 1, 1, 1)) / 127.5 - 1
        for layer in trunk.modules():
            if isinstance(layer, nn.Conv2d):
                weight = next(convolutions, None)
                if weight is None or weight.shape != layer.weight.shape:
                    break  # from here on the nets differ
                layer.weight.copy_(weight)
                flow = layer(flow)
            elif isinstance(layer, nn.BatchNorm2d):
                assert layer.running_mean is not None and layer.running_var is not None
                shift = next(convolutions)
                mean, var = flow.mean((0, 2, 3)), flow.var((0, 2, 3))
                layer.running_mean.copy_(mean)
                layer.running_var.copy_(var)
                layer.weight.copy_(torch.sqrt(var + layer.eps))
                layer.bias.copy_(mean + shift)
                flow = torch.relu(flow + shift[:, None, None])
        for name, weight in net.named_parameters():
            if name in stored and stored[name].shape == weight.shape:
                weight.copy_(stored[name])
