"""SGF as its description lets programs write it, and as those of other games do."""

from __future__ import annotations

import pytest

from referee.records.formats import read_bytes
from referee.records.replay import replay

HEAD = "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[Anna]PB[Boris]"


@pytest.mark.parametrize("first", ["CA[UTF-8]", "AP[club:1]", "PW[Anna]"])
def test_text_may_stand_before_a_tree_whatever_its_first_property(first: str) -> None:
    tree = HEAD.replace("CA[UTF-8]", "").replace("PW[Anna]", "").replace("(;", f"(;{first}", 1) + ";B[31qtst])"
    report = replay(read_bytes(f"Our match of the club night:\n{tree}\n".encode()))
    assert (len(report.games), report.problems) == (1, ())


@pytest.mark.parametrize("game", ["06", " 6", "6 "])
def test_a_number_may_be_written_with_more_than_its_figure(game: str) -> None:
    assert len(read_bytes(HEAD.replace("GM[6]", f"GM[{game}]").encode() + b";B[31qtst])").record.games) == 1
