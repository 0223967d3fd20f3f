"""What other programs, pages and letters make of a record in columns, and what is understood of it."""

from __future__ import annotations

import pytest

from referee.records.columns import read_columns
from referee.records.replay import Report, replay

HEAD = " 5 point match\n\n Game 1\n Anna : 0                       Boris : 0\n"


def judged(rows: str, head: str = HEAD) -> Report:
    return replay(read_columns(head + rows))


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f"])
def test_blanks_that_a_page_has_made_unbreakable_are_blanks_everywhere(blank: str) -> None:
    """In a board that was set, in the words of a header and in a name."""
    start = "; Set Pos=-b----E-C---eE---cAe----A-/0\n"
    rows = f"{start}  1)                             61: 13/7* 8/7\n  2) 42: 25/23 8/4\n"
    plain = judged(rows, HEAD.replace(" 5 point match", "Unlimited game").replace("Anna", "Anna B"))
    text = (HEAD.replace(" 5 point match", "Unlimited game").replace("Anna", "Anna B") + rows).replace(" ", blank)
    found = replay(read_columns(text))
    assert (found.problems, found.breaks, found.illegal) == (plain.problems, plain.breaks, plain.illegal) == ((), (), ())
    assert [game.positions for game in found.games] == [game.positions for game in plain.games]
    assert read_columns(text).record.names == ("Anna B", "Boris")
