"""The nets of ``vision/models``, each thread with its own: two threads that ask one net at a time get each other's answers."""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files

import cv2
import numpy as np

_mine = threading.local()


@cache
def model(name: str) -> bytes:
    """A model of the package; read as bytes, because OpenCV opens no path with other than ASCII letters on Windows."""
    return files("vision").joinpath("models", name).read_bytes()


def network(name: str) -> cv2.dnn.Net:
    """The calling thread's net."""
    net = _mine.__dict__.get(name)
    if net is None:
        net = _mine.__dict__[name] = cv2.dnn.readNetFromONNX(np.frombuffer(model(name), np.uint8))
    return net


def rest(name: str) -> None:
    """Gives back what the calling thread's net holds, which may be tens of megabytes."""
    _mine.__dict__.pop(name, None)
