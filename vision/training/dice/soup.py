"""The mean of two networks of one shape: what one has learned anew and what the other has not forgotten.

A network and the one it was trained on from lie in one valley of the loss, where the mean of the weights is often better than either
(Wortsman et al., "Model soups", 2022). ``python -m vision.training.dice.soup A.onnx B.onnx OUT.onnx [--share 0.5]``
"""

from __future__ import annotations

import argparse

import onnx
from onnx import numpy_helper


def mean(a: onnx.ModelProto, b: onnx.ModelProto, share: float) -> onnx.ModelProto:
    """``b`` with weights (1 - share) a + share b. Raises `ValueError` when the networks differ in shape."""
    theirs, ours = ([name for node in one.graph.node for name in node.input] for one in (a, b))
    named = dict(zip(ours, theirs, strict=True))  # what folding made of weights has another name with every export
    before = {one.name: numpy_helper.to_array(one) for one in a.graph.initializer}
    out = onnx.ModelProto()
    out.CopyFrom(b)
    for one in out.graph.initializer:
        now = numpy_helper.to_array(one)
        if now.dtype.kind == "f":
            mixed = (1 - share) * before[named[one.name]] + share * now
            one.CopyFrom(numpy_helper.from_array(mixed.astype(now.dtype), one.name))
    return out


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The mean of two networks of one shape.")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("out")
    parser.add_argument("--share", type=float, default=0.5, help="of the second one")
    args = parser.parse_args()
    onnx.save(mean(onnx.load(args.a), onnx.load(args.b), args.share), args.out)
