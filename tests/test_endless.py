"""What is named by mistake and is very large, or a device without an end, fills no memory: every command says what it is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.conftest import SCRIPT

resource = pytest.importorskip("resource")
MEMORY = 8_000_000_000  # bytes of addresses: the readers of pictures map far more than they use


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rules", "/dev/zero"], "too large to be a rule set"),
        (["read", "--dice", "/dev/zero"], "1 of 1 pictures could not be read"),
        (["read", "--board", "/dev/zero", "x.jpg"], "is not a board file"),
        (["chouette", "/dev/zero", "tie"], "is no chouette of ours"),
        (["check", "/dev/zero"], ""),
    ],
)
def test_a_file_without_an_end_is_refused(words: list[str], said: str) -> None:
    refused(words, said)


@pytest.mark.parametrize(
    ("large", "words", "said"),
    [
        ("game.json", ["replay", "game.mp4"], "is not the truth of a clip"),
        ("labels.json", ["replay", "--make", ".", "-o", "game.mp4"], "holds no labelled pictures"),
        ("saw.zip", ["replay", "saw.zip"], "it is no bundle"),
    ],
)
def test_a_very_large_file_is_refused_where_only_files_are_read(tmp_path: Path, large: str, words: list[str], said: str) -> None:
    (tmp_path / "game.mp4").touch()
    with (tmp_path / large).open("wb") as file:
        os.truncate(file.fileno(), MEMORY)
    refused(words, said, tmp_path)


def refused(words: list[str], said: str, folder: Path | None = None) -> None:
    """`referee` with these ``words``, in ``folder``, ends soon and within its memory, and has said why."""
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], cwd=folder,
        capture_output=True, text=True, timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert run.returncode in (1, 2)
    assert said in run.stderr
    assert "Traceback" not in run.stderr
