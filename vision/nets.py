"""The nets of ``vision/models`` and what runs them: ONNX Runtime, or where it cannot be loaded OpenCV, at half the speed."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
"""Else ONNX Runtime, from 1.29 on, tells Microsoft what runs, and keeps an identity of this computer in the user's home for it: on every
system, and from the moment it is imported."""

Floats = NDArray[np.float32]

IN_INTEGERS = frozenset(
    f"{name}.onnx" for name in ("checkers", "checkers_close", "cube_read", "dice_close", "dice_find", "dice_lean", "dice_read")
)  # nets that are there in integers too (`in_integers`): ONNX Runtime passes these in half the time or less, OpenCV in twice as much


class Net(Protocol):
    """One net, which any number of threads may ask at a time."""

    def ask(self, inputs: Mapping[str, Floats], outputs: Sequence[str]) -> list[Floats]:
        """The ``outputs`` that the net has for the ``inputs``, all by their names in its file."""


class OnnxRuntimeNet:
    """A net, of the ``file``, that ONNX Runtime runs on the asking thread."""

    def __init__(self, file: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # on strips and crops a second one wins next to nothing
        options.enable_cpu_mem_arena = False  # as fast without, and nothing is held between pictures
        options.log_severity_level = 3  # errors
        self._session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def ask(self, inputs: Mapping[str, Floats], outputs: Sequence[str]) -> list[Floats]:
        return list(self._session.run(list(outputs), dict(inputs)))


class OpenCvNet:
    """The same by OpenCV: two threads that asked one of its nets at a time would get each other's answers, so each has its own."""

    def __init__(self, file: Path) -> None:
        self._content = np.frombuffer(file.read_bytes(), np.uint8)  # by its name OpenCV would not find it in every folder of Windows
        self._mine = threading.local()

    def ask(self, inputs: Mapping[str, Floats], outputs: Sequence[str]) -> list[Floats]:
        net: cv2.dnn.Net | None = self._mine.__dict__.get("net")
        if net is None:
            net = self._mine.net = cv2.dnn.readNetFromONNX(self._content)
        for name, values in inputs.items():
            net.setInput(values, name)
        return [np.array(answer, np.float32) for answer in net.forward(list(outputs))]


@cache
def _kind() -> type[OnnxRuntimeNet] | type[OpenCvNet]:
    """Not every machine can load ONNX Runtime: on Windows it needs Microsoft's C++ runtime."""
    try:
        import onnxruntime
    except ImportError:
        return OpenCvNet
    onnxruntime.disable_telemetry_events()  # what its build for Windows heeds
    return OnnxRuntimeNet


def in_integers(name: str) -> str:
    """The file of the net of this name in integers."""
    return name.replace(".onnx", "_int8.onnx")


_nets: dict[str, Net] = {}
_lock = threading.Lock()


def network(name: str) -> Net:
    """The net of this name."""
    with _lock:
        if name not in _nets:
            kind = _kind()
            file = in_integers(name) if kind is OnnxRuntimeNet and name in IN_INTEGERS else name
            _nets[name] = kind(Path(str(files("vision").joinpath("models", file))))
        return _nets[name]


def ask_instead(name: str, net: Net) -> None:
    """From now on ``net`` is asked where the net of this name would be."""
    with _lock:
        _nets[name] = net


def release(name: str) -> None:
    """Gives back what a net holds, which may be tens of megabytes."""
    with _lock:
        _nets.pop(name, None)


def sigmoid(logits: NDArray[Any]) -> NDArray[Any]:
    """Probabilities of each of ``logits`` by itself."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -50, 50))))


def softmax(logits: NDArray[Any]) -> NDArray[Any]:
    """Probabilities along the last axis."""
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))
