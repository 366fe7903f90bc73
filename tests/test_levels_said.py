"""Levels and steps as they are said: by number, up and down, to the ends of a range, and no further than it goes."""

from typing import Any

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "levels_house.yaml"
FAN, HEATING, COOLER = "fan.living", "climate.living", "climate.bed"

# The fan has four speeds, and is off.
BY_NUMBER = [
    ("en", "set the ceiling fan to level 3", 75),
    ("en", "set the fan to 3", 75),
    ("en", "set the fan speed to three", 75),
    ("en", "set the fan to 40 percent", 40),
    ("en", "turn the fan up two levels", 50),
    ("en", "set the fan to level 9", 100),
    ("de", "Deckenventilator auf Stufe 3", 75),
    ("de", "mach den Ventilator zwei Stufen höher", 50),
    ("es", "pon el ventilador en el nivel 3", 75),
    ("es", "sube el ventilador dos niveles", 50),
    ("fr", "mets le ventilateur au niveau 3", 75),
    ("fr", "monte le ventilateur de deux crans", 50),
    ("it", "metti il ventilatore al livello 3", 75),
    ("it", "alza il ventilatore di due livelli", 50),
    ("nl", "zet de ventilator op stand 3", 75),
    ("nl", "zet de ventilator twee standen hoger", 50),
    ("pl", "ustaw wentylator na poziom 3", 75),
    ("pl", "zwiększ wentylator o dwa poziomy", 50),
    ("pt", "põe a ventoinha no nível 3", 75),
    ("pt", "aumenta a ventoinha dois níveis", 50),
    ("sv", "sätt fläkten på nivå 3", 75),
    ("sv", "höj fläkten två steg", 50),
]
# It is at 21 °C, and goes from 7 °C to 30 °C.
HEAT = [
    ("en", "raise the heating by 10 degrees", 30),
    ("en", "lower the heating by 8 degrees", 13),
    ("en", "set the heating to maximum", 30),
    ("en", "heating to the minimum", 7),
    ("de", "mach die Heizung um 7 Grad wärmer", 28),
    ("de", "Heizung aufs Minimum", 7),
    ("es", "sube la calefacción 7 grados", 28),
    ("es", "pon la calefacción al máximo", 30),
    ("fr", "monte le chauffage de 7 degrés", 28),
    ("fr", "mets le chauffage au minimum", 7),
    ("it", "alza il riscaldamento di 7 gradi", 28),
    ("it", "metti il riscaldamento al massimo", 30),
    ("nl", "zet de verwarming 7 graden hoger", 28),
    ("nl", "zet de verwarming op maximum", 30),
    ("pl", "podkręć ogrzewanie o 7 stopni", 28),
    ("pl", "ustaw ogrzewanie na maksimum", 30),
    ("pt", "aumenta o aquecimento 7 graus", 28),
    ("pt", "põe o aquecimento no mínimo", 7),
    ("sv", "höj värmen med 7 grader", 28),
    ("sv", "sätt värmen på max", 30),
]
# The vane of the air conditioner has three places, and does not swing; its fan blows low, of three levels.
MODES = [
    ("en", "raise the swing", {"swing_mode": "top"}),
    ("en", "set the swing to the middle", {"swing_mode": "middle"}),
    ("en", "swing down", {"swing_mode": "bottom"}),
    ("en", "turn on the swing", {"swing_mode": "both"}),
    ("en", "set the fan of the ac to level 3", {"fan_mode": "high"}),
    ("en", "turn the fan of the ac up one level", {"fan_mode": "medium"}),
    ("en", "set the ac fan to the maximum", {"fan_mode": "high"}),
    ("de", "Lamellen der Klimaanlage nach oben", {"swing_mode": "top"}),
    ("fr", "monte le balayage", {"swing_mode": "top"}),
    ("it", "alza le alette", {"swing_mode": "top"}),
    ("pl", "podnieś kierunek nawiewu", {"swing_mode": "top"}),
    ("pt", "baixa a oscilação do ar", {"swing_mode": "bottom"}),
    ("sv", "höj svängläget", {"swing_mode": "top"}),
]
# What has no levels, and of what cools it is not plain which end is meant.
NOTHING = [
    ("en", "heating to level 3"),
    ("en", "set the living room to level 2"),
    ("en", "set the bedroom ac to the maximum"),
    ("en", "don't set the fan to level 3"),
    ("de", "stell die Heizung nicht auf Maximum"),
]


@in_one_house(("language", "text", "percent"), BY_NUMBER)
async def test_a_fan_has_levels_of_its_own(
    speak: Setup, language: str, text: str, percent: int
) -> None:
    """Set the speed of the level, and step from the one that it has."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert [call["service_data"] for call in said.calls] == [
        {"entity_id": [FAN], "percentage": percent}
    ], said.reply
    assert str(percent) in said.reply


@in_one_house(("language", "text", "degrees"), HEAT)
async def test_heating_steps_as_far_as_it_goes(
    speak: Setup, language: str, text: str, degrees: int
) -> None:
    """Step by what is said, no further than the range, and say where it came to."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert [call["service_data"] for call in said.calls] == [
        {"entity_id": [HEATING], "temperature": degrees}
    ], said.reply
    assert str(degrees) in said.reply


@in_one_house(("language", "text", "modes"), MODES)
async def test_modes_in_order_are_levels(
    speak: Setup, language: str, text: str, modes: dict[str, Any]
) -> None:
    """Move the vane of an air conditioner, and its fan, by the order of their modes."""
    said = await (await speak()).say(text, language=language, area="Bedroom")
    assert [call["service_data"] for call in said.calls] == [{"entity_id": [COOLER], **modes}], (
        said.reply
    )


@in_one_house(("language", "text"), NOTHING)
async def test_what_is_not_plain_sets_nothing(speak: Setup, language: str, text: str) -> None:
    """Set nothing where there is no such level, or it is denied."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert said.changes == {}, said.reply
