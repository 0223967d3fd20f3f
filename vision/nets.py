"""The nets of ``vision/models``, each thread with its own: two threads that ask one net at a time get each other's answers."""

from __future__ import annotations

import threading
from importlib.resources import as_file, files
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_mine = threading.local()


def network(name: str) -> cv2.dnn.Net:
    """The calling thread's net. OpenCV 5 has two engines; the older one reads a third faster what is read here, strip by strip."""
    net = _mine.__dict__.get(name)
    if net is None:
        with as_file(files("vision").joinpath("models", name)) as path:
            if hasattr(cv2.dnn, "ENGINE_CLASSIC") and str(path).isascii():
                net = cv2.dnn.readNetFromONNX(str(path), engine=cv2.dnn.ENGINE_CLASSIC)  # of bytes it hears no engine
            else:  # read as bytes, because OpenCV opens no path with other than ASCII letters on Windows
                net = cv2.dnn.readNetFromONNX(np.frombuffer(path.read_bytes(), np.uint8))
        _mine.__dict__[name] = net
    return net


def softmax(logits: NDArray[Any]) -> NDArray[Any]:
    """Probabilities along the last axis."""
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def release(name: str) -> None:
    """Gives back what the calling thread's net holds, which may be tens of megabytes."""
    _mine.__dict__.pop(name, None)
