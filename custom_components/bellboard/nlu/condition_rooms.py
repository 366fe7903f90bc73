"""What the command beside a condition is for, and where: "the window" is that of its room."""

from ..home.catalog import Place
from .frame_models import NounPhrase
from .frames import frames_of
from .house import HomeLexicon
from .segmentation import clauses_of
from .spans import cover_text
from .tokens import MAX_COMMAND


def targets_of(command: str, house: HomeLexicon) -> list[NounPhrase]:
    """Return the targets of a command's clauses, as far as they are understood."""
    clauses = clauses_of(cover_text(command, house)) if len(command) <= MAX_COMMAND else []
    return [frames[0].what for clause in clauses if (frames := frames_of(clause))]


def room_of(command: str, house: HomeLexicon) -> Place | None:
    """Return the room that a command is for, None where it is for several, or says none."""
    targets = targets_of(command, house)
    rooms = {entity.area_id for what in targets for entity in what.names}
    rooms |= {place.id for what in targets for place in what.places if not place.is_floor}
    return house.catalog.areas.get(rooms.pop() or "") if len(rooms) == 1 else None
