"""What is said of a board beside each reading of it, for as long as it holds."""

from __future__ import annotations

from referee.match.state import BETWEEN_GAMES, MatchState, Phase
from referee.observations import Reading
from vision.camera.sharpness import TOO_SOFT
from vision.dice.before import Point
from vision.pictures import Image
from vision.reader import DICE_LAY, Reader
from web.runtime.said import GLARE, OTHER_WAY, SLOW, glare, other_way_round

FEW = 8.0  # pictures a second: it takes three of them from dice at rest to a throw that is announced
ENOUGH = 10.0  # pictures a second with which it is said no longer: a camera that sends now a few more and now a few less is one of few


class Cautions:
    """Of a board that was found ``soft``: in a picture out of focus, and with dice where they ``lay`` on it."""

    def __init__(self, soft: bool = False, lay: tuple[Point, ...] = ()) -> None:
        self._soft, self._lay = soft, lay
        self._glare = self._slow = False

    def of(self, reading: Reading, image: Image, reader: Reader, state: MatchState, rate: float | None) -> list[str]:
        """Those that are due after this ``reading`` of ``image``, of which ``rate`` come in a second, in a match that stands so."""
        self._glare = glare(reading, self._glare)
        begins = state.phase in (Phase.SETTING_UP, Phase.OPENING)
        lie = bool(self._lay) and begins and (reading.hand or reader.still_lies(image, self._lay))
        other = state.play_phase in BETWEEN_GAMES and other_way_round(reading)
        self._slow = begins and rate is not None and rate < (ENOUGH if self._slow else FEW)
        said = (TOO_SOFT, self._soft), (DICE_LAY, lie), (GLARE, self._glare), (OTHER_WAY, other), (SLOW, self._slow)
        return [text for text, due in said if due]
