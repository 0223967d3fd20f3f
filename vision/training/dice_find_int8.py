"""Writes the finder of dice and cubes in integers, which ONNX Runtime passes in a third of the time.

    python -m vision.training.dice_find_int8 --data DATA vision/models/dice_find.onnx vision/models/dice_find_int8.onnx

How large its numbers get is learned from the labelled pictures under DATA that may be trained on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from vision.dice_find import DIE_PX, shown
from vision.training.dice_pictures import boards, picture_of, training_folders


class Pictures(CalibrationDataReader):
    """The pictures as the finder sees them, one at a time."""

    def __init__(self, data: Path) -> None:
        self._pictures = self._seen(data)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        return next(self._pictures, None)

    def _seen(self, data: Path) -> Iterator[dict[str, NDArray[np.float32]]]:
        for marked in boards(training_folders(data)):
            if marked.dice:
                scale = DIE_PX / float(np.median([edge for *_, edge in marked.marks]))
                yield {"x": shown(picture_of(marked.path), scale)}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--data", type=Path, required=True, help="labelled pictures: photoreal/, demo-game/")
    ap.add_argument("trained", type=Path)
    ap.add_argument("out", type=Path)
    args = ap.parse_args()
    layers = [node.name for node in onnx.load(args.trained).graph.node if node.op_type == "Conv"]
    quantize_static(
        args.trained,
        args.out,
        Pictures(args.data),
        nodes_to_exclude=[layers[0], layers[-1]],  # the picture itself, and what is answered
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        reduce_range=True,  # weights of seven bits: of eight, two products together overflow on processors that know no other way
    )


if __name__ == "__main__":
    main()
