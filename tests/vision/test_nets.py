"""What runs the nets: threads that read at once, as where one camera takes the place of another, and a machine without ONNX Runtime."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import vision.nets
import web.demo
from referee.observations import Reading
from tests.found import found_in, remembered
from vision.boardfile import SetUpLook
from vision.dice.find import LEAST
from vision.finder import find_table
from vision.nets import IN_INTEGERS, OnnxRuntimeNet, ask_instead, in_integers, network, release
from vision.pictures import Image, load_picture
from vision.reader import Reader
from vision.table import Table

DEMO = Path(web.demo.__file__).parent / "pictures"
BOARDS = Path(__file__).parent.parent / "data" / "boards"


def _readings(folder: Path, times: int, find: Callable[[Image], Table]) -> list[Reading]:
    """What a thread of its own sees: the board found, and every picture of it read ``times`` times."""
    start = load_picture(folder / "f00.jpg")
    reader = Reader(find(start), SetUpLook(start))
    pictures = [load_picture(path) for path in sorted(folder.glob("f*.jpg"))]
    return [reader.read(picture.copy()) for _ in range(times) for picture in pictures]


def test_no_table_is_given_what_the_camera_of_another_saw() -> None:
    folders = [BOARDS / "train-001000", BOARDS / "train-002000"]
    alone = [_readings(folder, 1, remembered) for folder in folders]
    with ThreadPoolExecutor(len(folders)) as threads:
        together = list(threads.map(lambda folder: _readings(folder, 3, find_table), folders))
    for one, many in zip(alone, together, strict=True):
        assert many == one * 3


WITHOUT_IT = """
import json, sys
from web.cli import run
sys.modules["onnxruntime"] = None
for sys.argv[1:] in json.loads(sys.argv[1]):
    run()
"""


def test_without_onnx_runtime_the_same_is_read(referee: Any, tmp_path: Path) -> None:
    board = str(tmp_path / "board.json")
    start, *thrown = (str(DEMO / f"f{n:03}.jpg") for n in (0, 2, 8))
    commands = [["setup", start, "-o", board], ["read", "--board", board, *thrown, "--json"]]
    with_it = "".join(referee(*words)[1] for words in commands)
    words = [sys.executable, "-c", WITHOUT_IT, json.dumps(commands)]
    without = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert _readings_in(without) == _readings_in(with_it)
    assert [len(reading["dice"]) for reading in _readings_in(with_it)] == [2, 2]


def test_the_finder_in_integers_marks_what_the_trained_one_marks() -> None:
    trained, whole = _as_trained_and_in_integers("dice_find.onnx")
    worst = []
    for path in sorted(BOARDS.glob("*/f0*.jpg")):
        image = cv2.resize(load_picture(path), (640, 360), interpolation=cv2.INTER_AREA)
        layers = np.asarray(cv2.dnn.blobFromImage(image, 1 / 255), np.float32)
        heat, other = (1 / (1 + np.exp(-net.ask({"x": layers}, ["y"])[0][0, :2])) for net in (trained, whole))
        marked = np.maximum(heat, other) > LEAST
        worst += np.abs(heat - other)[marked].tolist()
    assert len(worst) > 100
    assert np.mean(worst) < 0.02, "how a die happens to lie over the cells makes 0.1 of difference"
    assert np.max(worst) < 0.15


@pytest.fixture(scope="module")
def heard() -> Iterator[dict[str, list[dict[str, Any]]]]:
    """What the nets were shown, by their names, when boards were read."""
    shown: dict[str, list[dict[str, Any]]] = {}

    class Overheard:
        def __init__(self, name: str) -> None:
            self.net, self.inputs = network(name), shown.setdefault(name, [])

        def ask(self, inputs: Any, outputs: Any) -> Any:
            self.inputs.append({name: np.array(values) for name, values in inputs.items()})
            return self.net.ask(inputs, outputs)

    for name in IN_INTEGERS:
        ask_instead(name, Overheard(name))
    for folder in sorted(path.parent for path in BOARDS.glob("*/f01.jpg")):
        reader = Reader(found_in(folder / "f00.jpg"), SetUpLook(load_picture(folder / "f00.jpg")))
        for path in sorted(folder.glob("f0*.jpg"))[1:]:
            reader.read(load_picture(path))
    yield shown
    for name in IN_INTEGERS:
        release(name)


@pytest.mark.parametrize("name", sorted(IN_INTEGERS - {"dice_find.onnx"}))
def test_nets_in_integers_answer_as_the_trained_ones(name: str, heard: dict[str, list[dict[str, Any]]]) -> None:
    output = "answers" if name.startswith("checkers") else "y"
    inputs = heard[name][:200]
    trained, whole = (np.concatenate([net.ask(one, [output])[0] for one in inputs]) for net in _as_trained_and_in_integers(name))
    assert len(trained) >= 4
    off = np.abs(whole - trained) / trained.std()
    assert off.mean() < 0.05, "of how far answers lie apart"
    assert off.max() < 0.5  # 0.46 where the processor has AVX2 alone


def _as_trained_and_in_integers(name: str) -> list[OnnxRuntimeNet]:
    models = Path(vision.nets.__file__).parent / "models"
    return [OnnxRuntimeNet(models / file) for file in (name, in_integers(name))]


def _readings_in(said: str) -> list[dict[str, Any]]:
    """What the command line has read, but for what is rounded of it, where the last digit may differ."""
    readings = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    for reading in readings:
        for die in reading["dice"]:
            del die["confidence"], die["centre"]
    return readings


def test_reading_leaves_nothing_in_the_users_home_and_tells_nobody(tmp_path: Path) -> None:
    """ONNX Runtime keeps an identity of the computer and a queue of what to report there, unless told not to before it is loaded."""
    quiet = {"CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "XDG_CACHE_HOME"}  # under these it reports nothing anyway
    env = {key: value for key, value in os.environ.items() if key not in quiet}
    code = "from vision.nets import network; network('dice_read.onnx')"
    env |= {"HOME": str(tmp_path), "USERPROFILE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], env=env, check=True, timeout=120)
    assert list(tmp_path.rglob("*")) == []
