"""Small homes in five languages, and questions about what is in them."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from custom_components.bellboard.home.catalog import Catalog, CatalogEntity, Place
from custom_components.bellboard.memory.pending import PendingQuestion
from custom_components.bellboard.nlu import loader
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.plans.models import AskUser, Candidate

type Things = dict[str, tuple[str | None, tuple[str, ...]]]


def home(
    things: Things, areas: dict[str, tuple[str, ...]], floors: dict[str, tuple[str, ...]]
) -> Catalog:
    """Return the catalog of a home.

    `things` maps entity ids to their area and names, `areas` and `floors` ids to names. The area
    "bed" is on the floor "up", all others on the floor "down".
    """
    on = {area: "up" if area == "bed" else "down" for area in areas}
    return Catalog(
        1,
        {
            entity_id: CatalogEntity(entity_id, names, area, on.get(area or ""), None)
            for entity_id, (area, names) in things.items()
        },
        {area: Place(area, names, on[area], is_floor=False) for area, names in areas.items()},
        {floor: Place(floor, names, floor, is_floor=True) for floor, names in floors.items()},
    )


HOMES = {
    "en": home(
        {
            "light.floor": ("living", ("Floor Lamp", "Tall Lamp")),
            "light.reading": ("living", ("Reading Lamp",)),
            "light.counter": ("kitchen", ("Kitchen Counter", "Worktop Light")),
            "light.left": ("bed", ("Left Bedside Lamp", "Bedside Lamp")),
            "light.right": ("bed", ("Right Bedside Lamp", "Bedside Lamp")),
            "light.night": ("bath", ("Night Light",)),
            "light.hall": (None, ("Hall Light",)),
            "light.lamp_1": ("office", ("Lamp 1",)),
            "light.lamp_2": ("office", ("Lamp 2",)),
            "media_player.speaker": ("kitchen", ("Kitchen Speaker",)),
            "media_player.tv": ("living", ("Living Room TV", "Television")),
            "media_player.kitchen": ("kitchen", ("Kitchen",)),
            "scene.reading": (None, ("Reading",)),
            "switch.reading": (None, ("Reading Light",)),
        },
        {
            "living": ("Living Room", "Lounge"),
            "kitchen": ("Kitchen",),
            "bed": ("Bedroom",),
            "bath": ("Bathroom",),
            "office": ("Office",),
        },
        {"down": ("Ground Floor", "downstairs"), "up": ("Upstairs", "First Floor")},
    ),
    "de": home(
        {
            "light.floor": ("living", ("Stehlampe",)),
            "light.reading": ("living", ("Leselampe",)),
            "light.counter": ("kitchen", ("Küchenlicht",)),
            "light.left": ("bed", ("Linke Nachttischlampe", "Nachttischlampe")),
            "light.right": ("bed", ("Rechte Nachttischlampe", "Nachttischlampe")),
            "media_player.tv": ("living", ("Fernseher",)),
        },
        {"living": ("Wohnzimmer",), "kitchen": ("Küche",), "bed": ("Schlafzimmer",)},
        {"down": ("Erdgeschoss",), "up": ("Obergeschoss", "oben")},
    ),
    "fr": home(
        {
            "light.floor": ("living", ("Lampadaire",)),
            "light.reading": ("living", ("Lampe de lecture",)),
            "light.counter": ("kitchen", ("Plafonnier cuisine",)),
            "light.left": ("bed", ("Lampe de chevet gauche", "Lampe de chevet")),
            "light.right": ("bed", ("Lampe de chevet droite", "Lampe de chevet")),
            "media_player.tv": ("living", ("Télé",)),
        },
        {"living": ("Salon",), "kitchen": ("Cuisine",), "bed": ("Chambre",)},
        {"down": ("Rez-de-chaussée",), "up": ("Étage",)},
    ),
    "es": home(
        {
            "light.floor": ("living", ("Lámpara de pie",)),
            "light.reading": ("living", ("Lámpara de lectura",)),
            "light.counter": ("kitchen", ("Luz de la encimera",)),
            "light.left": ("bed", ("Lámpara izquierda", "Lámpara de noche")),
            "light.right": ("bed", ("Lámpara derecha", "Lámpara de noche")),
            "media_player.tv": ("living", ("Tele",)),
        },
        {"living": ("Salón",), "kitchen": ("Cocina",), "bed": ("Dormitorio",)},
        {"down": ("Planta baja",), "up": ("Arriba",)},
    ),
    "nl": home(
        {
            "light.floor": ("living", ("Staande lamp",)),
            "light.reading": ("living", ("Leeslamp",)),
            "light.counter": ("kitchen", ("Keukenlicht",)),
            "light.left": ("bed", ("Linker bedlamp", "Bedlamp")),
            "light.right": ("bed", ("Rechter bedlamp", "Bedlamp")),
            "media_player.tv": ("living", ("Televisie",)),
        },
        {"living": ("Woonkamer",), "kitchen": ("Keuken",), "bed": ("Slaapkamer",)},
        {"down": ("Begane grond",), "up": ("Boven",)},
    ),
    "pl": home(
        {
            "light.floor": ("living", ("Lampa stojąca",)),
            "light.reading": ("living", ("Lampka do czytania",)),
            "light.counter": ("kitchen", ("Światło nad blatem",)),
            "light.left": ("bed", ("Lewa lampka", "Lampka nocna")),
            "light.right": ("bed", ("Prawa lampka", "Lampka nocna")),
            "media_player.tv": ("living", ("Telewizor",)),
        },
        {"living": ("Salon", "salonie"), "kitchen": ("Kuchnia", "kuchni"), "bed": ("Sypialnia",)},
        {"down": ("Parter",), "up": ("Piętro",)},
    ),
}

BEDSIDE = ("left", "right")
THREE = ("floor", "reading", "counter")


@cache
def words(code: str) -> Language:
    """Return the words of a language, read from its file once."""
    return loader._load(code)


def pending(
    names: Iterable[str],
    *,
    code: str = "en",
    action: str = "turn_on",
    agent_id: str = "light-agent",
    area_id: str | None = None,
    **data: Any,
) -> PendingQuestion:
    """Return a question about lights of a home; one that is not in it is called "Gone Lamp"."""
    entities = HOMES[code].entities
    candidates = tuple(
        Candidate(
            entity_id=f"light.{name}",
            name=entities[f"light.{name}"].name if f"light.{name}" in entities else "Gone Lamp",
        )
        for name in names
    )
    asked = AskUser(
        param="target", prompt="Which?", candidates=candidates, action=action, data=data
    )
    return PendingQuestion(agent_id, asked, area_id=area_id)
