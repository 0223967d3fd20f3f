"""GNU Backgammon's own reading of match records, for tests that hold ours against it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from referee.records.gnubg import find

needs_gnubg = pytest.mark.skipif(find() is None, reason="GNU Backgammon is not on this machine (Debian: apt install gnubg)")


def obeyed(commands: str, folder: Path) -> str:
    """What it prints as it carries out its own ``commands``, one a line, in ``folder``. Skips the test where it is not installed."""
    program = find()
    if program is None:
        pytest.skip("GNU Backgammon is not on this machine (Debian: apt install gnubg)")
    script = folder / "commands"
    script.write_text(commands, encoding="utf-8")
    run = subprocess.run(
        [program, "-t", "-q", "-r", "-c", str(script)],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return run.stdout


def games(record: str, folder: Path) -> list[tuple[str, int]]:
    """(winner "left" or "right", points) of every game as it exports them again."""
    (folder / "in.mat").write_text(record, encoding="utf-8")
    said = obeyed("set threads 1\nset confirm new off\nset confirm save off\nimport mat in.mat\nexport match mat out.mat\n", folder)
    assert (folder / "out.mat").exists(), said
    found = []
    for line in (folder / "out.mat").read_text(encoding="utf-8").splitlines():
        won = re.search(r"Wins (\d+) point", line)
        if won:
            found.append(("left" if won.start() < 30 else "right", int(won.group(1))))
    return found
