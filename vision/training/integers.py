"""Writes nets in integers, which ONNX Runtime passes in half the time or less.

    python -m vision.training.integers --data DATA [--frames FRAMES] [dice_find checkers ...]

Makes vision/models/NAME_int8.onnx of vision/models/NAME.onnx. How large a net's numbers get is learned from what it is shown when the
labelled pictures are read that may be trained on.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from vision import nets
from vision.boardfile import SetUpLook
from vision.pictures import load_picture
from vision.reader import Reader
from vision.training.dice.pictures import training_folders
from vision.training.labels import load_labels, rendered_set_ups, start_of, true_table

Inputs = dict[str, NDArray[np.float32]]
MODELS = Path(nets.__file__).parent / "models"
MOST = 400  # inputs of each net that are learned from


class Overheard:
    """A ``net`` of whose inputs `MOST` are kept, each as likely as any other."""

    def __init__(self, net: nets.Net) -> None:
        self._net, self._rng, self._asked = net, np.random.default_rng(1), 0
        self.heard: list[Inputs] = []

    def ask(self, inputs: Mapping[str, nets.Floats], outputs: Sequence[str]) -> list[nets.Floats]:
        self._asked += 1
        place = len(self.heard) if len(self.heard) < MOST else int(self._rng.integers(self._asked))
        if place < MOST:
            self.heard[place : place + 1] = [{name: np.array(values) for name, values in inputs.items()}]
        return self._net.ask(inputs, outputs)


class Heard(CalibrationDataReader):
    """Inputs of a net, one at a time."""

    def __init__(self, inputs: list[Inputs]) -> None:
        self._left = iter(inputs)

    def get_next(self) -> Inputs | None:
        return next(self._left, None)


def read_all(folders: list[Path]) -> None:
    """Reads the labelled set-ups, each with its true table."""
    for folder in folders:
        labels = load_labels(folder)
        start = start_of(labels)
        reader = Reader(true_table(folder, labels), SetUpLook(load_picture(folder / start["image"])))
        for frame in labels["frames"]:
            if frame is not start:
                reader.read(load_picture(folder / frame["image"]))


def write(name: str, inputs: list[Inputs]) -> None:
    """The net of this ``name`` in integers, but for its first and last convolution, its last layer, and what is given to it."""
    trained = MODELS / f"{name}.onnx"
    graph = onnx.load(trained).graph
    given = {one.name for one in graph.input}
    convolutions = [node.name for node in graph.node if node.op_type == "Conv"]
    layers = [node.name for node in graph.node if node.op_type == "Gemm"]
    apart = [node.name for node in graph.node if given & set(node.input)]
    quantize_static(
        trained,
        MODELS / nets.in_integers(trained.name),
        Heard(inputs),
        nodes_to_exclude=[*apart, convolutions[0], convolutions[-1], *layers[-1:]],
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        reduce_range=True,  # weights of seven bits: of eight, two products together overflow on processors that know no other way
    )


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--data", type=Path, required=True, help="labelled pictures: photoreal/, demo-game/")
    ap.add_argument("--frames", type=Path, help="whole rendered set-ups")
    ap.add_argument("names", nargs="*", default=sorted(name.removesuffix(".onnx") for name in nets.IN_INTEGERS))
    args = ap.parse_args()
    names, nets.IN_INTEGERS = args.names, frozenset()  # they are learned from as they were trained
    folders = training_folders(args.data) + (rendered_set_ups(args.frames) if args.frames else [])
    overheard = {name: Overheard(nets.network(f"{name}.onnx")) for name in names}
    for name, net in overheard.items():
        nets.ask_instead(f"{name}.onnx", net)
    read_all(folders)
    for name, net in overheard.items():
        write(name, net.heard)
        print(f"{name}: learned from {len(net.heard)} inputs", flush=True)


if __name__ == "__main__":
    main()
