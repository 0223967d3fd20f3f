"""`referee chouette`: box, captain, cube and the score sheet of a chouette, kept in a file."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import click

from referee.files import read_most
from referee.match.names import clean_name, same_name
from referee.match.shown.wording import sentence
from referee.records.codec import decode, encode
from referee.records.lock import held_alone
from referee.rules import PRESETS, Reason, RuleSet
from referee.rules.chouette import Chouette, ChouetteGame, open_chouette, order, tied
from referee.rules.reason import because
from referee.rules.scoring import Kind, points_of
from web.cli._given import Named, rules_of
from web.cli._outputs import write_output

_ACTS = "start NAMES..., tie, double box|team [DROPPERS...], won box|team [single|gammon|backgammon], join NAME, leave NAME, undo"
LARGEST = 10_000_000  # bytes of a file: an evening is a thousandth of it
_NAMES_FROM = {"join": 1, "leave": 1, "double": 2}
"""The word of an act from which on it names players."""
_WAIT = 10.0  # s for which an act waits for another
_DICE = ("1", "2", "3", "4", "5", "6")
_Words = list[str]
T = TypeVar("T")
_State = tuple[Chouette, ChouetteGame | None]


@click.command(
    short_help="Keeps box, captain, cube and score sheet of a chouette.",
    epilog=f"Acts: {_ACTS}. Example: referee chouette friday.json start Ann Ben Cleo",
)
@click.argument("file", type=Named(Path))
@click.argument("act", nargs=-1)
@click.option("--rules", "rules_name", show_default="magriel", help="Rule set (with start): a preset or a TOML file.")
@click.option("--stake", type=click.IntRange(min=1), help="What a point is worth (with start).")
def command(file: Path, act: tuple[str, ...], rules_name: str | None, stake: int | None) -> None:
    """Keeps a chouette in FILE and says who is the box, who the captain, what the cube shows and how the sheet stands.

    Without an ACT nothing changes. `start` takes the names in their order, the box first, or as they threw for it: Ann=3
    Ben=6 Cleo=6 says who throws again, Ben=6,2 Cleo=6,4 what they threw then. In `double box` the names that follow drop and
    the others take; in `double team` the name of the box, when it follows, means that it drops. `tie`: the opening throw was
    one, where that turns the cube.
    """
    words = [clean_name(word) for word in act]
    acts = bool(words) and words[:1] != ["start"] and os.path.isfile(file)
    if acts:
        _read(file)  # beside what is no sheet nothing is put
    with _alone(file) if acts else contextlib.nullcontext():
        _acted(file, words, rules_name, stake)


@contextlib.contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One act at a time: two that read the same sheet would each write it without the other's. Where nothing can be put beside it,
    writing the sheet says why. Raises `ClickException`."""
    with contextlib.ExitStack() as holds:
        try:
            holds.enter_context(contextlib.closing(held_alone(file, _WAIT)))
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise click.ClickException(f"{file} is held by another `referee chouette`: end that one, then say it again") from None
        yield


def _acted(file: Path, words: _Words, rules_name: str | None, stake: int | None) -> None:
    if words[:1] == ["start"]:
        if file.exists():
            raise click.UsageError(f"{file} is there already; take another name or delete it")
        named = "magriel" if rules_name is None else rules_name
        log, worth, rules = [[_lasting(named), *_in_order(words[1:])]], stake or 1, rules_of(named)
    else:
        if stake is not None or rules_name is not None:
            raise click.UsageError("stake and rule set are agreed on with start, and hold for the whole chouette")
        log, worth, rules = _read(file)
        if words == ["undo"]:
            if len(log) < 2:
                raise click.ClickException("there is nothing to take back")
            log.pop()
        elif words:
            log.append(_as_on_the_sheet(words, _folded(log, rules)[0]))
    chouette, game = _folded(log, rules)
    if words[:1] in (["start"], ["join"]):
        _told_apart(chouette.line)
    if words:
        _write(file, log, worth, rules)  # nothing is shown before it is kept
    _say(chouette, game, worth)


def _lasting(rules_name: str) -> str:
    """The rule set's name; of a file so that it is found from every folder, and can be written."""
    return _writable(str(Path(rules_name).resolve())) if rules_name not in PRESETS and Path(rules_name).is_file() else rules_name


def _writable(text: str) -> str:
    return text.encode(errors="replace").decode()


def _in_order(words: list[str]) -> list[str]:
    """The names of start as they will play: given in order, or with what each threw."""
    found = {name: throws for name, equals, throws in (word.rpartition("=") for word in words) if equals}
    if not found:
        return words
    rolls = {name: tuple(int(n) for n in throws.split(",") if n in _DICE) for name, throws in found.items()}
    if len(found) != len(words) or any(len(rolls[name]) != throws.count(",") + 1 for name, throws in found.items()):
        raise click.UsageError("give every player once with a throw of 1 to 6, such as Ann=3 Ben=6 (and Ben=6,2 when he threw again)")
    for group in tied(rolls):
        raise click.ClickException(f"{' and '.join(group)} threw the same; they throw again: {group[0]}={found[group[0]]},N")
    return list(order(rolls))


def _as_on_the_sheet(words: _Words, chouette: Chouette) -> _Words:
    """An act with its names as the sheet has them: who writes "ben" means Ben, who would else be unknown or come in twice."""
    first = _NAMES_FROM.get(words[0], len(words))
    return words[:first] + [next((known for known, _ in chouette.sheet if same_name(known, word)), word) for word in words[first:]]


def _told_apart(line: tuple[str, ...]) -> None:
    twice = next((name for place, name in enumerate(line) if any(same_name(name, before) for before in line[:place])), None)
    if twice is not None:
        raise click.ClickException(sentence(because("name_taken", "", name=twice)))


def _read(file: Path) -> tuple[list[_Words], int, RuleSet]:
    try:
        kept = json.loads(read_most(file, LARGEST))  # of one that is larger the end is missing, and it is none
        log, worth, rules = kept["chouette"], kept.get("stake", 1), kept.get("rules")
        made = None if rules is None else decode(RuleSet, rules)
        if not log or not all(isinstance(row, list) and row and all(isinstance(word, str) for word in row) for row in log):
            raise ValueError
        if type(worth) is not int or worth < 1:
            raise ValueError
    except FileNotFoundError:
        raise click.UsageError(f"there is no {file}; begin with: referee chouette {file} start NAME NAME NAME") from None
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read ({error.strerror or error}): check that you may open it, or name another") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise click.UsageError(f"{file} is no chouette of ours: name the file that one was begun in") from None
    first, *names = log[0]  # a file may hold anything: what a name may not hold goes, as it does where one is typed
    acts = [[_writable(first), *map(clean_name, names)], *([*map(clean_name, row)] for row in log[1:])]
    rule_set = made or rules_of(acts[0][0])
    try:
        _folded(acts, rule_set)
    except click.ClickException as error:
        why = error.message.split(";")[0]
        raise click.UsageError(f"{file} is damaged, an act in it cannot have been ({why}): put back a copy, or begin anew") from None
    return acts, worth, rule_set


def _write(file: Path, log: list[_Words], worth: int, rules: RuleSet) -> None:
    """With the rules themselves: an evening is reckoned by those it was begun under, whatever becomes of a club's file."""
    write_output(file, json.dumps({"chouette": log, "stake": worth, "rules": encode(rules)}, ensure_ascii=False, indent=1), "FILE")


def _folded(log: list[_Words], rules: RuleSet) -> _State:
    state: _State = (_done(open_chouette(tuple(log[0][1:]), rules)), None)
    for words in log[1:]:
        state = _after(state, words)
    return state


def _done(found: T | Reason) -> T:
    """What an act led to; a refusal is said."""
    if isinstance(found, Reason):
        raise click.ClickException(sentence(found))
    return found


def _after(state: _State, words: _Words) -> _State:
    chouette, game = state
    match words:
        case ["join" | "leave", _] if game is not None:
            raise click.ClickException("players come and go between games only")
        case ["join", name]:
            return _done(chouette.joined(name)), None
        case ["leave", name]:
            return _done(chouette.left(name)), None
        case ["tie"]:
            return chouette, _done((game or chouette.start()).tied())
        case ["double", "box", *droppers]:
            playing = game or chouette.start()
            names = [name for name, _ in playing.team]
            unknown = next((name for name in droppers if name not in names), None)
            if unknown is not None:
                raise click.ClickException(f"{unknown} does not play on the team")
            return _settled(chouette, _done(playing.box_doubles(frozenset(names) - frozenset(droppers))))
        case ["double", "team", *droppers] if droppers in ([], [chouette.box]):
            return _settled(chouette, _done((game or chouette.start()).team_doubles(taken=not droppers)))
        case ["double", "team", *_]:
            raise click.ClickException(f"{chouette.box} is the box and alone may drop when the team doubles")
        case ["won", "box" | "team" as who, *size] if size in ([], ["single"], ["gammon"], ["backgammon"]):
            playing = game or chouette.start()
            factor = points_of(Kind(size[0] if size else "single"), 1, chouette.rules)
            return _settled(chouette, _done(playing.won(who == "box", factor)))
    raise click.UsageError(f"'{' '.join(words)}' is not understood; the acts are {_ACTS}")


def _settled(chouette: Chouette, game: ChouetteGame) -> _State:
    return (chouette, game) if game.box_won is None else (chouette.after(game), None)


def _say(chouette: Chouette, game: ChouetteGame | None, worth: int) -> None:
    playing = game or chouette.start()
    team = ", ".join(name if shares == 1 else f"{name} (x{shares})" for name, shares in playing.team)
    where = {"": "in the middle", "box": f"with {playing.box}", "team": f"with {playing.captain}"}[playing.owner]
    click.echo(f"Box: {playing.box}. Captain: {playing.captain}. Team: {team}. Cube: {playing.cube}, {where}.")
    for name, points in chouette.sheet_in(playing):
        gone = "" if name in chouette.line else "  (left)"
        gone = (f"  {points * worth:+d}" if worth != 1 and points else "") + gone
        click.echo(f"  {name:20}{points:+d}{gone}" if points else f"  {name:20} 0{gone}")
