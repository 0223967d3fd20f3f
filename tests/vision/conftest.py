"""The command line, as the tests of its pictures call it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from web.cli import run as command_line

Said = tuple[int, str, str]
"""Exit status, standard output, standard error."""


@pytest.fixture
def referee(found_once: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, words)])
        capsys.readouterr()
        code = command_line()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run
