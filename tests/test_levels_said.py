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
# The least and the most that things can do. The fan has four speeds, and the heating goes from 7 °C to 30 °C.
ENDS = [
    ("en", "run the ceiling fan as slow as it'll go", 25),
    ("en", "ceiling fan as slowly as possible", 25),
    ("en", "ceiling fan on the lowest possible speed", 25),
    ("en", "turn the ceiling fan down as far as it goes", 25),
    ("en", "turn the ceiling fan up as far as it'll go", 100),
    ("en", "ceiling fan full blast", 100),
    ("en", "turn the heating down as far as it goes", 7),
    ("en", "dim the arc lamp as far as it goes", 1),
    ("en", "lower the blinds as far as they go", 0),
    ("en", "raise the blinds as far as they'll go", 100),
    ("de", "Deckenventilator so langsam wie möglich", 25),
    ("de", "Deckenventilator auf die langsamste Stufe", 25),
    ("de", "Deckenventilator am schnellsten", 100),
    ("de", "Heizung so niedrig wie es geht", 7),
    ("de", "Bogenlampe so dunkel es geht", 1),
    ("de", "Bogenlampe so hell es geht", 100),
    ("de", "Soundbar so leise es geht", 0.01),
    ("es", "pon el ventilador lo más lento posible", 25),
    ("es", "pon el ventilador en el nivel más bajo", 25),
    ("es", "pon el ventilador a la velocidad más alta", 100),
    ("es", "pon la calefacción lo más baja posible", 7),
    ("fr", "mets le ventilateur au plus lent", 25),
    ("fr", "mets le ventilateur à la vitesse la plus faible", 25),
    ("fr", "mets le ventilateur au niveau le plus bas", 25),
    ("fr", "mets le ventilateur à la vitesse maximale", 100),
    ("it", "metti il ventilatore il più lento possibile", 25),
    ("it", "metti il ventilatore al livello più basso", 25),
    ("it", "metti il ventilatore alla massima velocità", 100),
    ("nl", "zet de ventilator zo langzaam mogelijk", 25),
    ("nl", "zet de ventilator op de laagste snelheid", 25),
    ("nl", "zet de ventilator op de hoogste snelheid", 100),
    ("pl", "ustaw wentylator na najniższy bieg", 25),
    ("pl", "ustaw wentylator na najmniejszą prędkość", 25),
    ("pl", "ustaw wentylator na najwyższą prędkość", 100),
    ("pt", "põe a ventoinha o mais lento possível", 25),
    ("pt", "põe a ventoinha na velocidade mais baixa", 25),
    ("pt", "põe a ventoinha na velocidade mais alta", 100),
    ("sv", "sätt fläkten så långsamt som möjligt", 25),
    ("sv", "sätt fläkten på lägsta hastighet", 25),
    ("sv", "sätt fläkten på högsta hastighet", 100),
]
# "Higher" is one step where it is not said to which of all that there are.
HIGHER = [
    ("en", "make the volume of the soundbar higher"),
    ("es", "pon el volumen del soundbar más alto"),
    ("es", "pon el volumen más alto"),
    ("it", "metti il volume più alto"),
    ("pt", "põe o volume mais alto"),
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


@in_one_house(("language", "text", "value"), ENDS)
async def test_the_least_and_the_most_are_the_ends_of_what_goes(
    speak: Setup, language: str, text: str, value: float
) -> None:
    said = await (await speak()).say(text, language=language, area="Living Room")
    services = {"close_cover": 0, "open_cover": 100}
    reached = [
        next(iter(data.values()), services.get(call["service"]))
        for call in said.calls
        if (data := {k: v for k, v in call["service_data"].items() if k != "entity_id"}) is not None
    ]
    assert reached == [value], (said.calls, said.reply)


@in_one_house(("language", "text"), HIGHER)
async def test_higher_is_not_the_most(speak: Setup, language: str, text: str) -> None:
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert not [call for call in said.calls if call["service_data"].get("volume_level") == 1], (
        said.reply
    )


@in_one_house(("language", "text"), NOTHING)
async def test_what_is_not_plain_sets_nothing(speak: Setup, language: str, text: str) -> None:
    """Set nothing where there is no such level, or it is denied."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert said.changes == {}, said.reply
