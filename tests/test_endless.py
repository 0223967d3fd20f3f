"""What is named by mistake and is very large, or a device without an end, fills no memory: every command says what it is not."""

from __future__ import annotations

import subprocess
import sys

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
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        capture_output=True, text=True, timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert run.returncode in (1, 2)
    assert said in run.stderr
    assert "Traceback" not in run.stderr
