"""GNU Backgammon's ``.sgf``: FF[4] GM[6], one tree a game. The grammar is sgfmill's; the meaning is that of
red-bean.com/sgf/backgammon.html and of what gnubg writes.

White (PW) is gnubg's player 0 and the left column. Letters ``a``..``x`` are White's points 1..24 and Black's 24..1, ``y`` the bar,
``z`` off.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from sgfmill import sgf_grammar

from referee.board.position import START, Position
from referee.records.record import Action, Do, Game, NotARecord, Owner, Parsed, Record, Side, Step, steps_text
from referee.records.turned import with_values

LIMIT = 16_000_000  # characters; a long match with every evaluation is a few million
NODE_LIMIT = 50_000  # nodes, and as many games would be; the longest match has a few thousand
VALUE_LIMIT = 400_000
_COLOURS = {"W": Side.LEFT, "B": Side.RIGHT}
_ANSWERS = (Do.BEAVER, Do.RACCOON, Do.TAKE, Do.DROP)
_BOARD = ("AE", "AW", "AB")
_PLAYED = frozenset({"B", "W", "DI", "PL", "AE", "AB", "AW", "CV", "CP", "CO", "C"})
_BY_HAND = "set by hand"
"""Our comment on an edited board, which behind a play would read as an illegal play that stood."""
_TOKEN = re.compile(r"\[(?:\\.|[^\]\\])*\\?(?:\]|\Z)|[();]", re.DOTALL)  # a value, closed or cut off, is one token
_FROM_0 = ("GNU Backgammon", "backgammon-referee")
"""Who counts the games from 0."""
_TREE = re.compile(r"^\(\s*;", re.M)
_OPENS = re.compile(r"\s*;")
_OUTSIDE = re.compile("[();]")  # where no tree is open a value is none: prose may hold half of one
_NODE = re.compile(r"\s*(?:[WB]\s*\[\s*(?:[1-6]{2}[a-z]*|[a-z]+)\s*\]|(?:PL|DI|A[EWB])\s*\[[^]\s]*\])", re.I)
_ROLLED = re.compile("[1-6][1-6]")
_PLACE = ("CP", "CO")
"""Where the cube is: in gnubg's files, and as the format is described."""
_OWNERS = {"c": Owner.MIDDLE, "w": Owner.LEFT, "b": Owner.RIGHT}
TAGS = {"PC": "Site", "EV": "Event", "RO": "Round", "DT": "EventDate", "AN": "Transcriber"}  # in the order of gnubg's .mat


def read_sgf(text: str) -> Parsed:
    """Parses a whole file. Raises `NotARecord` when it is none. Only the first variation of a tree is followed."""
    if len(text) > LIMIT:
        raise NotARecord(f"the file is too large to be a match record ({len(text)} characters)")
    if ";" not in text:
        raise NotARecord("this is not an SGF game collection")
    if text.count(";") > NODE_LIMIT or text.count("(") > NODE_LIMIT or max(text.count("["), text.count("\\")) > VALUE_LIMIT:
        raise NotARecord("the file holds far more moves than any match")
    trees, problems = _trees(text)
    games: list[Game] = []
    head: dict[str, list[bytes]] = {}
    remarks = False
    base, read = 0, dict[int, int]()  # which game a tree has given
    for number, tree in enumerate(trees, start=1):
        nodes = _main_line(tree)
        root = nodes[0]
        if _int(_word(root, "GM").strip(), 0) != 6 and (root.get("GM") or not _tells_backgammon(nodes)):
            if games:
                problems.append(f"the tree {number} of the file is no game of backgammon (GM[6]): it is not read")
                continue
            raise NotARecord("this SGF file holds no backgammon (GM[6])")
        info = _match_info(root)
        if not head and info.get("game") == "1" and _at_the_start(info) and not _word(root, "AP").startswith(_FROM_0):
            base = 1  # as the format's description has it
        if games and _begins_anew(root, head, games[-1], base):
            problems.append(f"another match begins with the tree {number} of the file: only the first one is read")
            break
        head = head or root
        index, score = int(info.get("game", number - 1 + base)) + 1 - base, (int(info.get("ws", 0)), int(info.get("bs", 0)))
        if games and not info.keys() & {"ws", "bs"}:  # an early gnubg says no score in money play
            score = games[-1].score_after(games[-1].winner, games[-1].points)
        board = {key: root[key] for key in _BOARD if key in root}
        elsewhere = [board] if board and _edited(board) != START else []  # where the game begins, if not as usual
        owned = [{key: root[key]} for key in _PLACE if _word(root, key).lower()[:1] in ("w", "b")]
        actions = _actions([*owned, *elsewhere, *nodes[1:]], index, problems)
        remarks = remarks or "C" in root or any(_remarked(node) for node in nodes[1:])
        winner, points, resigned = _result(result := _word(root, "RE"))
        if winner is None and result.strip().lower() not in ("", "0", "?", "void"):
            problems.append(f"game {index}: its result {result[:20]!r} does not say who won how many points, as W+2 does")
        crawford = "CrawfordGame" in _rules(root)
        game = Game(index, score, actions, winner, points, resigned, crawford=crawford, cube=_int(_word(root, "CV"), 1))
        games.append(with_values(game))
        read[number] = index
    if not games:
        raise NotARecord("the SGF collection holds no game")
    for number in _left_outside(text):
        if number in read:
            problems.append(f"game {read[number]}: more of it stands behind its end, outside of its tree: that is not read")
        elif not number:
            problems.append("the file is damaged before the first game that is read: what is played there is not read")
    rules = _rules(head)
    tags = tuple((name, value.replace("-", ".") if key == "DT" else value) for key, name in TAGS.items() if (value := _word(head, key)))
    length = int(_match_info(head).get("length", 0))
    names = (_word(head, "PW"), _word(head, "PB"))
    jacoby = "Jacoby" in rules if length == 0 else None
    record = Record(names, length, tuple(games), tags, jacoby, "Crawford" in rules if length else None)
    return Parsed(record, tuple(problems), remarks=remarks)


def _left_outside(text: str) -> list[int]:
    """The trees, counted from 1, behind which nodes stand that are in none, as behind a bracket too many; 0 where they stand before the
    first, as of one whose beginning is damaged."""
    at = depth = tree = 0
    found: list[int] = []
    while (token := (_TOKEN if depth else _OUTSIDE).search(text, at)) is not None:
        at = token.end()
        if token[0] == "(":
            begins = not depth and _OPENS.match(text, token.end()) is not None
            tree, depth = tree + begins, depth + (begins or depth > 0)
        elif token[0] == ")":
            depth = max(0, depth - 1)
        elif token[0] == ";" and not depth and tree not in found[-1:] and _NODE.match(text, token.end()):
            found.append(tree)
    return found


def _tells_backgammon(nodes: list[dict[str, list[bytes]]]) -> bool:
    """Whether a tree that does not say its game is of this one: it tells of a match, or somebody rolls in it."""
    return "MI" in nodes[0] or any(_ROLLED.match(_word(node, key)) for node in nodes for key in ("W", "B", "DI"))


def _begins_anew(root: dict[str, list[bytes]], head: dict[str, list[bytes]], before: Game, base: int) -> bool:
    """Whether the tree of this ``root`` is of another match than that of ``head``, the file's first: it says another length or other
    players, or counts its game from the start again. ``base``: the number of a first game."""
    info, first = _match_info(root), _match_info(head)
    if info.get("length", first.get("length")) != first.get("length"):
        return True
    if any(_word(root, key) not in ("", _word(head, key)) for key in ("PW", "PB")):
        return True
    return "game" in info and int(info["game"]) < before.number + base and _at_the_start(info)


def _at_the_start(info: dict[str, str]) -> bool:
    """Whether nobody has a point yet."""
    return not int(info.get("ws", 0)) and not int(info.get("bs", 0))


def _remarked(node: dict[str, list[bytes]]) -> bool:
    """Whether more stands at a move than the move: a comment that is not ours, a mark, an analysis."""
    return not node.keys() <= _PLAYED or _word(node, "C") not in ("", _BY_HAND)


def _trees(text: str) -> tuple[list[sgf_grammar.Coarse_game_tree], list[str]]:
    """The games of a file; of one that was cut off, as by a power failure, all up to its last whole move, and a sentence about it."""
    try:
        return sgf_grammar.parse_sgf_collection(text.encode("utf-8", "replace")), []
    except (ValueError, RecursionError) as error:
        for whole, where in _before_the_cut(text):
            with suppress(ValueError, RecursionError):
                trees = sgf_grammar.parse_sgf_collection(whole.encode("utf-8", "replace"))
                return trees, [f"the file ends in the middle of game {len(trees) + where}"]
        if trees := _before_the_damage(text):
            return trees, [f"the file is damaged in game {len(trees) + 1} of it: neither that nor what follows is read"]
        raise NotARecord(f"this is not an SGF game collection: {error}") from None


def _before_the_damage(text: str) -> list[sgf_grammar.Coarse_game_tree]:
    """The first trees of a file, as many as can be read."""
    starts, found, most = [match.start() for match in _TREE.finditer(text)], list[sgf_grammar.Coarse_game_tree](), 0
    unread = len(starts)
    while most + 1 < unread:
        tried = (most + unread) // 2
        try:
            found, most = sgf_grammar.parse_sgf_collection(text[: starts[tried]].encode("utf-8", "replace")), tried
        except (ValueError, RecursionError):
            unread = tried
    return found


def _before_the_cut(text: str) -> Iterator[tuple[str, int]]:
    """What can be kept of a file whose last tree is not closed, best first: with its whole nodes (0), without that tree (1)."""
    depth = tree = 0
    cut, depth_there, nodes = 0, 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] == "(":
            depth += 1
            if depth == 1:
                tree, nodes = token.start(), 0
        elif token[0] == ")":
            depth -= 1
        elif token[0] == ";":
            cut, depth_there, nodes = token.start(), depth, nodes + 1
    if depth < 1:
        return
    if nodes > 1:
        kept = text[:cut].rstrip()
        opened = len(kept) - len(kept.rstrip("("))  # a variation of which nothing is known
        yield kept[: len(kept) - opened] + ")" * (depth_there - opened), 0
    yield text[:tree], 1


def write_sgf(record: Record) -> str:
    """``record`` as gnubg reads it: games counted from 0, an illegal play that stood as dice and an edited board."""
    return "\n".join(_tree(record, game) for game in record.games) + "\n"


def _tree(record: Record, game: Game) -> str:
    root: list[tuple[str, list[str]]] = [
        ("FF", ["4"]),
        ("GM", ["6"]),
        ("CA", ["UTF-8"]),
        ("AP", [_FROM_0[1]]),
        ("MI", [f"length:{record.length}", f"game:{game.number - 1}", f"ws:{game.score[0]}", f"bs:{game.score[1]}"]),
        ("PW", [record.names[0]]),
        ("PB", [record.names[1]]),
    ]
    root += [
        (key, [record.tag(name).replace(".", "-") if key == "DT" else record.tag(name)]) for key, name in TAGS.items() if record.tag(name)
    ]
    rules = "Crawford" if record.length > 1 and record.crawford is not False else "Jacoby" if record.jacoby else ""
    if rules:
        root.append(("RU", [f"{rules}:CrawfordGame" if game.crawford and rules == "Crawford" else rules]))
    if game.cube != 1:
        root.append(("CV", [str(game.cube)]))
    if game.winner is not None:
        colour = "W" if game.winner is Side.LEFT else "B"
        root.append(("RE", [f"{colour}+{game.points}{'R' if game.resigned else ''}"]))
    head = "".join(f"{key}{''.join(f'[{_escaped(v)}]' for v in values)}" for key, values in root)
    nodes: list[str] = []
    actions = [a for a in game.actions if a.do is not Do.RESIGN]
    for index, action in enumerate(actions):
        if node := _node(action):
            nodes.append(node)
        following = actions[index + 1] if index + 1 < len(actions) else None
        if action.do in (Do.BEAVER, Do.RACCOON) and (following is None or following.do not in _ANSWERS):
            nodes.append("B[take]" if action.side is Side.LEFT else "W[take]")  # gnubg plays on only when the last turn is taken
    return f"(;{head}" + "".join(f"\n;{node}" for node in nodes) + ")"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _node(action: Action) -> str:
    colour = "W" if action.side is Side.LEFT else "B"
    if action.do is Do.ROLL and action.dice is not None:
        dice = f"{action.dice[0]}{action.dice[1]}"
        if action.position is not None:
            return f"PL[{colour}]DI[{dice}]\n;PL[{colour}]{_board(action.position)}"
        letters = "".join(_letter(point, action.side) for step in action.steps or () for point in step)
        return f"{colour}[{dice}{letters}]"
    if action.do is Do.SET_POSITION and action.position is not None:
        return f"PL[{colour}]{_board(action.position)}C[{_BY_HAND}]"
    if action.do is Do.UNREAD:
        return ""
    if action.do is Do.SET_CUBE:
        letter = next((key for key, owner in _OWNERS.items() if owner is action.owner), "")
        return "\n;".join([f"CV[{action.value}]"] * bool(action.value) + [f"CP[{letter}]"] * bool(letter))
    if action.do in (Do.BEAVER, Do.RACCOON, Do.DOUBLE):
        # gnubg's way: a beaver is the taker's own double.
        return f"{colour}[double]"
    return f"{colour}[{action.do.value}]"


def _letter(point: int, side: Side) -> str:
    if point in (0, 25):
        return "z" if point == 0 else "y"
    return chr(ord("a") + (point if side is Side.LEFT else 25 - point) - 1)


def _board(position: Position) -> str:
    text = "AE[a:y]"
    for key, side in (("AW", Side.LEFT), ("AB", Side.RIGHT)):
        letters = [_letter(p, side) for p in range(1, 26) for _ in range(position.on_point(side.seat, p))]
        text += key + "".join(f"[{letter}]" for letter in letters) if letters else ""
    return text


def _main_line(tree: sgf_grammar.Coarse_game_tree) -> list[dict[str, list[bytes]]]:
    """The nodes of the first variation."""
    nodes: list[dict[str, list[bytes]]] = []
    while True:
        nodes += tree.sequence
        if not tree.children:
            return nodes
        tree = tree.children[0]


def _match_info(root: dict[str, list[bytes]]) -> dict[str, str]:
    """The numbers in a tree's ``MI``: length, game (counted from 0), ws and bs (the score before it)."""
    said = " ".join(v.decode("utf-8", "replace") for v in root.get("MI", [])).lower()
    return dict(re.findall(r"(?<![a-z])([a-z]{1,20}):\s*+(\d{1,9})", said))


def _word(node: dict[str, list[bytes]], key: str) -> str:
    values = node.get(key)
    return sgf_grammar.simpletext_value(values[0]).decode("utf-8", "replace") if values else ""


def _rules(root: dict[str, list[bytes]]) -> list[str]:
    """The rules a tree names in ``RU``: in one value, or, as early versions of gnubg have it, one a value."""
    return b":".join(root.get("RU", [])).decode("utf-8", "replace").split(":")


def _int(text: str, default: int) -> int:
    return int(text) if re.fullmatch(r"\d{1,9}", text) else default


def _result(text: str) -> tuple[Side | None, int, bool | None]:
    found = re.fullmatch(r"\s*([WB])\+(\d{1,9})(R(?:esign)?)?\s*", text, re.I)
    return (_COLOURS[found[1].upper()], int(found[2]), bool(found[3])) if found else (None, 0, None)


def _actions(nodes: list[dict[str, list[bytes]]], game: int, problems: list[str]) -> tuple[Action, ...]:
    actions: list[Action] = []
    owed: Action | None = None  # dice set without a move
    played = False  # the node before this one was a move
    for node in nodes:
        actions += _cube_put(node, game, problems)
        if any(key in node for key in _BOARD):
            position = _edited(node)
            if position is None:
                problems.append(f"game {game}: an edited board cannot be read")
                actions.append(Action(Side.LEFT, Do.UNREAD))
            elif owed is not None:  # dice, then a board made by hand: how gnubg keeps an illegal play that stood
                actions.append(replace(owed, position=position, text=f"{owed.text} illegal play"))
            elif played and actions[-1].do is Do.ROLL and _word(node, "C") != _BY_HAND:
                # A play, then the board put as it really stood afterwards: the same.
                text = f"{actions[-1].text[:2]}: illegal play"
                actions[-1] = replace(actions[-1], steps=None, position=position, text=text)
            else:
                actions.append(Action(Side.LEFT, Do.SET_POSITION, position=position))
            owed = None
        if found := re.fullmatch(r"([1-6])([1-6])", _word(node, "DI")):
            side = _COLOURS.get(_word(node, "PL"), Side.LEFT)
            owed = Action(side, Do.ROLL, dice=(int(found[1]), int(found[2])), text=f"{found[0]}:")
        words = [(side, word) for colour, side in _COLOURS.items() if (word := _word(node, colour).strip().lower())]
        played = bool(words)
        for side, word in words:
            owed = None
            _colour_action(side, word, game, actions, problems)
    if owed is not None:  # rolled, and the game ended before it was played
        actions.append(owed)
    return tuple(actions)


def _cube_put(node: dict[str, list[bytes]], game: int, problems: list[str]) -> list[Action]:
    """The cube put by hand in mid-game: its value, its place, or both."""
    value, place = _word(node, "CV"), next((word for key in _PLACE if (word := _word(node, key))), "")
    place = "" if place.lower() in ("n", "none") else place  # where it is out of play, as in the Crawford game
    if not value and not place:
        return []
    owner = _OWNERS.get(place.lower()[:1])
    if (place and owner is None) or (value and not _int(value, 0)):
        problems.append(f"game {game}: a cube put by hand cannot be read: {(value or place)[:20]!r}")
        return []
    return [Action(Side.LEFT, Do.SET_CUBE, value=_int(value, 0), owner=owner)]


def _colour_action(side: Side, word: str, game: int, actions: list[Action], problems: list[str]) -> None:
    before = actions[-1] if actions else None
    if word == "double":
        turned = before is not None and before.side is side.other and before.do
        do = Do.BEAVER if turned in (Do.DOUBLE, Do.RACCOON) else Do.RACCOON if turned is Do.BEAVER else Do.DOUBLE
        actions.append(Action(side, do, text=word))
    elif word == "take":
        # After a beaver gnubg writes the other's "take" of it: nothing more is turned.
        if before is None or before.do not in (Do.BEAVER, Do.RACCOON):
            actions.append(Action(side, Do.TAKE, text=word))
    elif word == "drop":
        actions.append(Action(side, Do.DROP, text=word))
    elif (action := _move(side, word)) is None:
        problems.append(f"game {game}: not a move: {word[:20]!r}")
        rolled = _ROLLED.match(word)  # what was played cannot be read: from here on nobody can be accused
        unread = Action(side, Do.UNREAD, text=word[:80])
        actions.append(Action(side, Do.ROLL, dice=(int(word[0]), int(word[1])), text=f"{word[:2]}: {word[2:]}") if rolled else unread)
    else:
        actions.append(action)


def _point(letter: str, side: Side) -> int:
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    number = ord(letter) - ord("a") + 1
    return number if side is Side.LEFT else 25 - number


def _move(side: Side, word: str) -> Action | None:
    found = re.fullmatch(r"([1-6])([1-6])((?:[a-z]{2}){0,4})", word)
    if found is None:
        return None
    letters = found[3]
    steps: list[Step] = [(_point(letters[i], side), _point(letters[i + 1], side)) for i in range(0, len(letters), 2)]
    if any(a == b for a, b in steps):
        return None
    text = f"{found[1]}{found[2]}: {steps_text(steps)}".strip()
    return Action(side, Do.ROLL, 0, (int(found[1]), int(found[2])), tuple(steps) or None, text=text)


def _edited(node: dict[str, list[bytes]]) -> Position | None:
    """A set-up node gives the whole board in gnubg's files: everything emptied, then one letter a checker."""
    sides: list[tuple[int, ...]] = []
    for key, side in (("AW", Side.LEFT), ("AB", Side.RIGHT)):
        own = [0] * 25
        for value, count in Counter(node.get(key, [])).items():
            if len(value) != 1 or not value.islower():
                return None
            if point := _point(value.decode("ascii"), side):
                own[point - 1] += count
        sides.append(tuple(own))
    if not any(map(sum, sides)):
        return None
    try:
        return Position.from_sides(*sides)
    except ValueError:
        return None
