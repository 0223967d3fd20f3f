"""Reads the two-column text formats: Jellyfish ``.mat`` in the dialects of GNU Backgammon, XG, Galaxy, Backgammon Studio and
GamesGrid, and Snowie's ``.txt`` match. Layout and pitfalls: Jellyfish's column format as gnubg reads and writes it.

A reader that meets a line it does not know says so and goes on; only a text without a match header is refused.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from referee.board.ids import IdError
from referee.board.matchid import xgid_from_text
from referee.board.plays import OFF
from referee.board.position import CHECKERS, START
from referee.records.fields import begun_as_usual, holds_moves, may_go_on, parse_steps, snowie_position, words_of
from referee.records.layout import FIELD, GAME, HIDDEN, ILLEGAL, LENGTH, MONEY, NO_COLON, ODD_FIELD, ROW, SET, TAG, cut_short, names_in
from referee.records.record import CUT, Action, Do, Game, NotARecord, Owner, Parsed, Record, Side, Step
from referee.records.turned import TurnedCube

LIMIT = 1_500_000  # characters; the longest match on record is far below one million
LINE_LIMIT = 2_000
ACTION_LIMIT = 50_000  # a 25-point match has some 1,500
HEADER_LIMIT = 200  # lines among which the match length stands; remarks and banners come before it
FIELD_LIMIT = 8  # fields on one line: two plays and a result, and room for the odd writer
FIELD_TEXT = 80  # characters kept of what cannot be read
RIGHT_COLUMN = 24  # a lone field starting at or beyond this column belongs to the right player,
NARROW_COLUMN = 12  # or, where the names stand closer, at or beyond the right one, but no nearer than this
MARGIN = 3  # a result that begins before this column is in none: some programs write each winner's there
EMPTY_FIELD = 8  # spaces behind a row's number that are an empty left field: no program leaves as many before a full one

_TAKES = ("takes", "take", "accepts", "accept")
_DROPS = ("drops", "drop", "passes", "pass", "rejects", "reject")
_RESIGNS = (
    "concedes", "resigns", "resign", "resigned", "losses", "loss", "loses", "lost", "timed", "forfeits", "forfeit", "forfeited", "00",
)  # fmt: skip
"""``00:`` is the roll of a player who gave up instead of rolling."""
_GIVES_MATCH = re.compile(r"resign\w* (?:the )?match|\btimed?\b|forfeit", re.I)
_ROLL_ALONE = re.compile(r"[1-6][1-6]:\s*$|00:\s*$")
_NO_WORD = re.compile(r"\W")
_UNBREAKABLE = str.maketrans({"\xa0": " ", "\u202f": " "})
"""As a page or a letter writes a blank; as wide as one, so that the columns stay."""
_DANCE = re.compile(
    r"\(?(?:(?:cannot|can['\u2019]t) (?:move|play)|no (?:legal |possible )?(?:moves?|plays?)(?: possible)?"
    r"|dance[sd]?|fan(?:s|ned)?|none|0|-+)[.!)]*$",
    re.I,
)
_ILLEGAL_ALONE = re.compile(r"\(?illegal (?:play|move)[.!)]*$", re.I)
_NO_HEADER = (
    "there is no line such as '7 point match': this is not a match record in columns; "
    "GNU Backgammon opens files of other programs, too, and saves them as .sgf"
)


def read_columns(text: str) -> Parsed:
    """Parses a whole file. Raises `NotARecord` when it is none."""
    if len(text) > LIMIT:
        raise NotARecord(f"the file is too large to be a match record ({len(text)} characters)")
    text = text.removeprefix("\ufeff").rstrip("\x1a\0")  # the end mark of old systems
    lines = re.split(r"\r\n|\n|\r", text)
    cut = cut_short(lines)
    if cut:  # what was being written when it stopped is no play to judge
        lines[-1] = lines[-1][: max((m.start() for m in FIELD.finditer(lines[-1])), default=0)]
    apart = any(re.search(r"\s\s|\t", line.strip()) for line in lines if ROW.match(line))
    reader = _LineReader(max((number for number, line in enumerate(lines, start=1) if line.strip()), default=0), apart)
    for number, line in enumerate(lines, start=1):
        reader.take(number, line)
    return reader.parsed(cut, bool(lines[-1].strip()))


class _LineReader:
    """What the lines of a file said so far. ``last``: the number of the last line that holds anything; ``apart``: more than one space parts
    the fields of some row, so that there are columns."""

    def __init__(self, last: int, apart: bool) -> None:
        self._last = last
        self._apart = apart
        self._columns = True  # the place on a line tells whose a field is
        self._unplaced = False  # but of the last game's result it did not
        self._number = 0  # of the line that is being read
        self._tags: list[tuple[str, str]] = []
        self._problems: list[str] = []
        self._length: int | None = None
        self._games: list[Game] = []
        self._names = ("", "")
        self._right = RIGHT_COLUMN
        self._waiting: int | None = None  # a game's number, its names line not read yet
        self._actions: list[Action] = []  # of the last game
        self._kept = 0  # actions of the games before
        self._cube, self._followed = TurnedCube(), 0  # the cube after so many actions of the last game
        self._lost = False  # of the last game not all could be read
        self._headed = False  # the header stands here once more
        self._tags_before = 0  # the tags above the last game
        self._over = False  # another match has begun
        self._again: tuple[str, int] | None = None  # names and a score without a heading, and their line: a game, if rows follow

    def take(self, number: int, raw: str) -> None:
        """Reads one line. Raises `NotARecord` where it is plain that the file is none."""
        self._number = number
        line = raw.expandtabs(8).translate(_UNBREAKABLE).rstrip()
        if self._over:
            return
        if len(line) > LINE_LIMIT:
            self._problems.append(f"line {number} is too long to be part of a record")
            if self._games and self._waiting is None:
                self._lose_track(0, line)
            return
        if not line:
            return
        if self._is_remark(line):
            if found := TAG.match(line):
                self._tags.append((found[1].strip(), found[2]))
            elif (found := SET.match(line)) and self._games and self._waiting is None:
                self._put_board(*found.groups())
        elif self._length is None:
            self._look_for_length(line)
        elif self._waiting is None and LENGTH.match(line):
            self._headed = True
        elif found := GAME.match(line):
            self._pass_over_names()
            self._close_game()
            self._begin_game(int(found[1]))
        elif self._names_again(line):
            self._again = line, number
        elif self._waiting is None or not self._take_names(line, self._waiting):
            self._take_row(line)
        if self._kept + len(self._actions) > ACTION_LIMIT:
            raise NotARecord("the file holds far more moves than any match")

    def _is_remark(self, line: str) -> bool:
        """A tag is written in one; some programs add positions as IDs. A player may be called "#1 Anna"."""
        line = line.lstrip()
        return line.startswith("XGID=") or (line.startswith((";", "#")) and (self._waiting is None or names_in(line) is None))

    def _put_board(self, board: str, minus: str | None, power: str | None) -> None:
        """The board and the cube as they are set; the usual board at the start of a game is none, nor is the cube where it stands."""
        try:
            position = xgid_from_text(f"{board}:{power or 0}:0:1:00:0:0:0:0:10")[0]
        except IdError as error:
            self._problems.append(f"line {self._number}: a board set by hand cannot be read: {error}")
            return
        if self._actions or position != START:
            self._actions.append(Action(Side.LEFT, Do.SET_POSITION, position=position))
        if power is not None:
            for action in self._actions[self._followed :]:
                self._cube.after(action)
            self._followed = len(self._actions)
            owner = None if power == "0" else Side.LEFT if minus else Side.RIGHT
            if (self._cube.value, self._cube.owner) != (1 << int(power), owner):
                self._actions.append(Action(Side.LEFT, Do.SET_CUBE, value=1 << int(power), owner=Owner.of(owner)))

    def _look_for_length(self, line: str) -> None:
        if found := LENGTH.match(line):
            self._length = int(found[1])
        elif MONEY.match(line):
            self._length = 0
        elif self._number > HEADER_LIMIT:
            raise NotARecord(_NO_HEADER)

    def _pass_over_names(self) -> None:
        """Names and a score that no rows followed, as in a summary, are not understood."""
        if self._again:
            self._problems.append(f"line {self._again[1]} is not understood: {self._again[0].strip()[:40]!r}")
            self._again = None

    def _begin_game(self, game: int) -> None:
        """A game's heading; a first one under another header begins another match, which is not read."""
        if self._headed and self._games and game <= self._games[-1].number:
            self._problems.append(f"line {self._number}: another match begins here: only the first one of a file is read")
            del self._tags[self._tags_before :]
            self._over = True
        else:
            self._waiting, self._headed, self._tags_before = game, False, len(self._tags)

    def _names_again(self, line: str) -> bool:
        """Whether the same players and a score stand here once more, under a game's heading that was lost or cannot be read."""
        found = names_in(line) if self._games and self._waiting is None and not ROW.match(line) else None
        return found is not None and found[0] == self._names

    def _take_names(self, line: str, game: int) -> bool:
        """Begins the ``game`` whose names and score are due. Whether the line has been dealt with: without them it may be a row."""
        found = names_in(line)
        if found is not None:
            names, score, right = found
            self._names = self._names if self._games else names
            self._columns = self._apart or not re.search(r"\S $", line[:right])
            self._place_result(score)
            self._games.append(Game(game, score))
            self._right = max(NARROW_COLUMN, min(RIGHT_COLUMN, right - 2))
        elif self._number == self._last and not ROW.match(line):
            return True  # cut off within the names: of this game nothing is known
        else:
            self._problems.append(f"line {self._number}: no names and score under 'Game {game}'")
            self._unplaced = False
            self._games.append(Game(game, _running(self._games)))
        self._waiting = None
        return found is not None

    def _take_row(self, line: str) -> None:
        """One line under a game's names: a numbered row, or a result on a line of its own."""
        number = self._number
        if self._again and ROW.match(line):
            names, at = self._again
            self._again = None
            self._problems.append(f"line {at}: a game begins here, and no line such as ‘Game 2’ is above it")
            self._close_game()
            self._take_names(names, self._games[-1].number + 1)
        if not self._games:
            self._problems.append(f"line {number} stands before the first game and is not understood: {line.strip()[:40]!r}")
            return
        found = ROW.match(line)
        row = int(found[1]) if found else (self._actions[-1].row if self._actions else 0)
        start = found.end() if found else 0
        body = line[start:]
        if found and (bare := NO_COLON.findall(body)):
            self._problems += [f"line {number}: behind the roll {roll} a colon is missing" for roll in bare[:FIELD_LIMIT]]
            body = NO_COLON.sub(r"\1:", body)  # as long as it was: the columns stay
        boards = [m.span() for m in ILLEGAL.finditer(body)]  # with the players' names, which may be "Takes"
        starts = [m.start() for m in FIELD.finditer(body) if not any(a < m.start() < b for a, b in boards)]
        if found:  # behind a roll it says that its play was not seen
            hidden = (m.start() for m in islice(HIDDEN.finditer(body), FIELD_LIMIT + 1))
            starts = sorted({*starts, *(at for at in hidden if not _ROLL_ALONE.search(body[:at]))})
        if starts:  # what stands before the first field is looked at below
            odd = (m.start() for m in ODD_FIELD.finditer(body, starts[0]) if not any(a < m.start() < b for a, b in boards))
            starts = sorted({*starts, *odd})
        if not starts:
            if body.strip() and body.strip() != "????":
                self._problems.append(f"line {number} is not understood: {line.strip()[:40]!r}")
                if found or self._goes_on(row, body):
                    self._lose_track(row, body, wrapped=not found)
            return
        if len(starts) > FIELD_LIMIT:
            self._problems.append(f"line {number} holds too much for one row: {line.strip()[:40]!r}")
            self._lose_track(row, body)
            return
        before = body[: starts[0]].strip()
        named = next((one for one in Side if before and before.casefold() == self._names[one.index].casefold()), None)
        if before not in ("", "????") and named is None:
            self._problems.append(f"line {number}: not understood: {before[:40]!r}")
            if found or self._goes_on(row, before):
                self._lose_track(row, before)
        pieces = [(a, body[a:b].strip()) for a, b in zip(starts, [*starts[1:], len(body)], strict=True)]
        for i, (_, text) in enumerate(pieces):
            side = self._side(i, start, pieces, found is not None)
            self._take_field(named if named and i == 0 else side, text, row)

    def _side(self, i: int, start: int, pieces: list[tuple[int, str]], numbered: bool) -> Side:
        """Whose field the ``i``-th of a line is: two plays in one row are left and right; otherwise the place on the line tells, or, where
        a page or a letter has kept no columns, whose turn it is."""
        at = pieces[i][0]
        told = [k for k, (_, words) in enumerate(pieces) if not words.lower().startswith("wins")]
        if numbered and len(told) == 2 and i in told:
            return Side.LEFT if i == told[0] else Side.RIGHT
        far = at >= EMPTY_FIELD if numbered and i == 0 else start + at >= self._right  # what a number stands before tells it best
        side, last = Side.RIGHT if far else Side.LEFT, self._actions[-1] if self._actions else None
        if i in told:
            answers = _NO_WORD.split(pieces[i][1], maxsplit=1)[0].lower() in (*_TAKES, *_DROPS)
            if answers and last and last.side is side and last.do is Do.DOUBLE and not numbered:
                return side.other  # it stands below the double, and is the other's all the same
            return side if self._columns else last.side.other if last else Side.RIGHT  # who is alone in the first row is the right player
        off = next((one for one in Side if self._all_off(one)), None)
        if self._columns and (numbered or start + at >= MARGIN):
            return off if off and numbered and i else side  # in the field that is free behind the last checker borne off
        told_so = off or (last.side.other if last and (i or last.do is Do.DROP) else None)
        self._unplaced = told_so is None
        return told_so or side

    def _place_result(self, score: tuple[int, int] | None) -> None:
        """Who won the last game, where its place on the line did not tell it: who has more at the ``score`` that the next one begins at,
        or, where none follows, for whom its points were enough to win the match."""
        if self._unplaced and self._games:
            last = self._games[-1]
            least = (last.score[0] + 1, last.score[1] + 1) if score else (self._length or 1_000_000,) * 2
            won = [side for side in Side if (score or last.score_after(side, last.points))[side.index] >= least[side.index]]
            if len(won) == 1:
                self._games[-1] = replace(last, winner=won[0])
            else:
                self._problems.append(f"game {last.number}: who won it cannot be told, for its result stands in no column")
        self._unplaced = False

    def _all_off(self, side: Side) -> bool:
        """Whether all checkers of ``side`` have been borne off in this game."""
        return sum(target == OFF for one in self._actions if one.side is side for _, target in one.steps or ()) == CHECKERS

    def _goes_on(self, row: int, text: str) -> bool:
        """Whether ``text``, which has no number before it, may be the rest of a play of ``row``: it holds moves, and some are owed there.
        Else it is a remark, such as a date."""
        return holds_moves(text) and any(may_go_on(one) for one in self._actions if one.row == row and one.do is Do.ROLL)

    def _take_field(self, side: Side, text: str, row: int) -> None:
        word = _NO_WORD.split(text, maxsplit=1)[0].lower()
        value = next((int(n) for n in re.findall(r"\d{1,9}", text)), 0)
        if re.match(r"[1-6][1-6]:", text):
            self._actions.append(self._roll(side, text, row))
        elif text.startswith("??"):
            self._actions.append(Action(side, Do.UNREAD, row, text=text))
        elif word in (*_TAKES, *_DROPS) and self._actions and self._actions[-1].do is Do.RESIGN:
            if word in _DROPS:
                self._actions.pop()  # the resignation is refused, and play goes on
        elif word.removeprefix("re") in ("doubles", "double"):
            self._actions.append(Action(side, Do.DOUBLE, row, value=value, text=text))
        elif word in _TAKES:
            self._actions.append(Action(side, Do.TAKE, row, text=text))
        elif word in _DROPS:
            self._actions.append(Action(side, Do.DROP, row, text=text))
        elif word in ("beavers", "beaver"):
            last = self._actions[-1] if self._actions else None
            again = last is not None and last.do is Do.BEAVER and last.side is side.other  # most programs have one word for both
            self._actions.append(Action(side, Do.RACCOON if again else Do.BEAVER, row, value=value, text=text))
        elif word in ("raccoons", "raccoon"):
            self._actions.append(Action(side, Do.RACCOON, row, value=value, text=text))
        elif word in _RESIGNS:
            self._actions.append(Action(side, Do.RESIGN, row, value=value, text=text))
        elif word == "wins":
            if (game := self._games[-1]).winner is None:
                unplayed = not self._actions and not self._unplaced and "match" in text.lower()
                forfeit = unplayed and 0 < value == (self._length or 0) - game.score[side.index]
                self._games[-1] = replace(game, winner=side, points=value, ruled=forfeit)
            else:
                self._problems.append(f"line {self._number}: game {self._games[-1].number} has two results")
        else:
            self._problems.append(f"line {self._number}: not understood: {text[:40]!r}")
            self._lose_track(row, text)

    def _lose_track(self, row: int, text: str, wrapped: bool = False) -> None:
        """Something was done here that cannot be read: nobody can be accused of what follows on it, nor, where it is the end of a row that
        was ``wrapped``, of that row."""
        if self._lost:
            return
        self._lost = True
        place = next((i for i, action in enumerate(self._actions) if wrapped and action.row == row), len(self._actions))
        self._actions.insert(place, Action(Side.LEFT, Do.UNREAD, row, text=" ".join(text.split())[:FIELD_TEXT]))

    def _roll(self, side: Side, text: str, row: int) -> Action:
        dice = (int(text[0]), int(text[1]))
        rest = text[3:].strip()
        if found := ILLEGAL.search(rest):
            position, why = snowie_position(found[1], side)
            if position is None:
                self._problems.append(f"line {self._number}: the position of the illegal play cannot be read: {why}")
            elif not self._actions and not begun_as_usual(position, side.other):
                return Action(side, Do.SET_POSITION, row, position=position, text=text)
            return Action(side, Do.ROLL, row, dice, None, position=position, text=text)
        if rest in ("", "????", "?"):
            return Action(side, Do.ROLL, row, dice, None, text=text)
        if _DANCE.match(rest):
            return Action(side, Do.ROLL, row, dice, (), text=text)
        if _ILLEGAL_ALONE.match(rest):  # without its board it is told as a play that cannot be made
            return Action(side, Do.ROLL, row, dice, None, text=text)
        steps: list[Step] = []
        for word in words_of(rest):
            found_steps = parse_steps(word)
            if found_steps is None:
                self._problems.append(f"line {self._number}: not a move: {word[:20]!r}")
                continue
            steps += found_steps
        return Action(side, Do.ROLL, row, dice, tuple(steps) or None, text=text)

    def _close_game(self) -> None:
        while self._actions and self._actions[-1].do is Do.UNREAD and self._actions[-1].text.startswith("??"):
            self._actions.pop()  # at a game's end: who gave up without a roll
        if self._actions:  # else it is closed already, where a game began of which nothing follows
            last, game = self._actions[-1], self._games[-1]
            if last.do is Do.RESIGN and game.winner is last.side:
                self._actions[-1] = replace(last, side=last.side.other)  # OpenGammon writes it in the winner's column
            game = replace(game, actions=tuple(self._actions))
            self._games[-1] = replace(game, ruled=_match_lost(game, self._length or 0))
            self._kept += len(self._actions)
            self._actions, self._lost = [], False
            self._cube, self._followed = TurnedCube(), 0

    def parsed(self, cut: bool, open_end: bool) -> Parsed:
        """All that was read; ``cut``: the last line stopped in mid-word; ``open_end``: nothing ended it. Raises `NotARecord` when it is no
        match."""
        self._pass_over_names()
        self._place_result(None)
        self._close_game()
        if self._length is None:
            raise NotARecord(_NO_HEADER)
        if not self._games:
            raise NotARecord("the record holds no game")
        if cut or self._waiting is not None:
            self._problems.append(CUT if cut else "the file ends where a game begins")
        tags = self._tags
        record = Record(
            _named(self._names, tags), self._length, tuple(self._games), tuple(tags),
            crawford=_flag(tags, "Crawford"), jacoby=_flag(tags, "Jacoby"),
        )
        return Parsed(record, tuple(self._problems), open_end=open_end and not cut)


def _match_lost(game: Game, length: int) -> bool:
    """Whether the loser gave up the whole match, whatever the game and its cube give: by his words, such as "Resigned Match" or "Lost on
    time", or by the clock; the points are those that the match took."""
    last = game.actions[-1]
    if last.do is not Do.RESIGN or game.winner is not last.side.other or not _GIVES_MATCH.search(last.text):
        return False
    return game.points == length - game.score[game.winner.index]


def _named(names: tuple[str, str], tags: list[tuple[str, str]]) -> tuple[str, str]:
    """The players' ``names``, from the tags where the columns have none."""
    said = dict(tags)
    return (names[0] or said.get("Player 1", ""), names[1] or said.get("Player 2", ""))


def _flag(tags: list[tuple[str, str]], name: str) -> bool | None:
    value = next((v.lower() for k, v in tags if k.lower() == name.lower()), None)
    return None if value is None else value in ("on", "yes", "true", "1")


def _running(games: list[Game]) -> tuple[int, int]:
    """The score after the games so far, as they declare it."""
    if not games:
        return 0, 0
    return games[-1].score_after(games[-1].winner, games[-1].points)
