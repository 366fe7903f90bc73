"""Positions and levels changed from where they are: by a percentage, by a fraction, and to the end of the way."""

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "steps_house.yaml"
BLIND, LIGHT = "cover.bedroom", "light.kitchen"

# The blind of the bedroom is at 40 percent.
TO_THE_END = [
    ("en", "open the blinds", " already"),
    ("de", "mach die Jalousien auf", " schon "),
    ("es", "abre las persianas", " ya "),
    ("fr", "ouvre les stores", " déjà "),
    ("it", "apri le tapparelle", " già "),
    ("nl", "doe de jaloezieën open", " al "),
    ("pl", "otwórz rolety", "Już "),
    ("pt", "abre os estores", " já "),
    ("sv", "öppna persiennerna", " redan "),
]
BY_PERCENT = [
    ("en", "raise the blinds by thirty percent", 70),
    ("en", "bring the blinds down by 15 percent", 25),
    ("en", "close the blinds by a quarter", 15),
    ("en", "pull the blinds down three quarters", 25),
    ("en", "open the blinds three quarters", 75),
    ("en", "lower the blinds to 20 percent", 20),
    ("de", "fahr die Jalousien um dreißig Prozent hoch", 70),
    ("de", "Jalousien um ein Viertel runter", 15),
    ("de", "Jalousien auf 30 Prozent hoch", 30),
    ("es", "sube las persianas un treinta por ciento", 70),
    ("es", "baja las persianas un cuarto", 15),
    ("es", "baja las persianas al diez por ciento", 10),
    ("fr", "remonte les stores de trente pour cent", 70),
    ("fr", "baisse les stores de quinze pour cent", 25),
    ("fr", "baisse les stores à dix pour cent", 10),
    ("it", "alza le tapparelle di un trenta per cento", 70),
    ("it", "tapparelle giù del quindici per cento", 25),
    ("it", "alza le tapparelle al cinquanta per cento", 50),
    ("nl", "doe de jaloezieën dertig procent omhoog", 70),
    ("nl", "laat de jaloezieën met een kwart zakken", 15),
    ("nl", "zet de jaloezieën op dertig procent", 30),
    ("pl", "podnieś rolety o trzydzieści procent", 70),
    ("pl", "opuść rolety o piętnaście procent", 25),
    ("pl", "podnieś rolety do pięćdziesięciu procent", 50),
    ("pt", "sobe os estores trinta por cento", 70),
    ("pt", "baixa os estores quinze por cento", 25),
    ("pt", "baixa os estores para dez por cento", 10),
    ("sv", "höj persiennerna med trettio procent", 70),
    ("sv", "sänk persiennerna med femton procent", 25),
    ("sv", "sänk persiennerna till tio procent", 10),
]
# One of two lamps of the kitchen is on, at 80 percent.
DIMMED = [
    ("en", "lower the light by a quarter", 60),
    ("en", "put the light down to 30 percent", 30),
    ("en", "set the light to minimum", 1),
    ("de", "mach das Licht um die Hälfte dunkler", 40),
    ("de", "stell das Licht auf 30 Prozent", 30),
    ("es", "baja la luz un cuarto", 60),
    ("fr", "baisse la lumière d'un quart", 60),
    ("fr", "mets la lumière au minimum", 1),
    ("it", "abbassa la luce di un quarto", 60),
    ("it", "metti la luce al trenta per cento", 30),
    ("nl", "dim het licht met een kwart", 60),
    ("pl", "przyciemnij światło o jedną czwartą", 60),
    ("pl", "ustaw światło na minimum", 1),
    ("pt", "baixa a luz um quarto", 60),
    ("pt", "põe a luz a trinta por cento", 30),
    ("sv", "sänk ljuset med en fjärdedel", 60),
    ("sv", "ställ ljuset på trettio procent", 30),
]


@in_one_house(("language", "text", "already"), TO_THE_END)
async def test_what_is_not_open_to_the_end_is_opened(
    speak: Setup, language: str, text: str, already: str
) -> None:
    """Say that a blind was opened that was open in part, and only then that it is open already."""
    talk = await speak()
    said = await talk.say(text, language=language, area="Bedroom")
    assert already not in f" {said.reply} ", said.reply
    assert [call["service"] for call in said.calls] == ["open_cover"]
    again = await talk.say(text, language=language, area="Bedroom")
    assert already in f" {again.reply} ", again.reply


@in_one_house(("language", "text", "position"), BY_PERCENT)
async def test_blinds_move_by_a_percentage(
    speak: Setup, language: str, text: str, position: int
) -> None:
    """Add what a blind is moved by to where it is, and set what it is moved to."""
    said = await (await speak()).say(text, language=language, area="Bedroom")
    data = [call["service_data"] for call in said.calls]
    assert [each.get("position") for each in data] == [position], said.reply


@in_one_house(("language", "text", "percent"), DIMMED)
async def test_the_light_that_is_to_be_less_is_what_is_on(
    speak: Setup, language: str, text: str, percent: int
) -> None:
    """Dim the lamp that is on, by a fraction of how bright it is, and leave the other one off."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert [call["service_data"] for call in said.calls] == [
        {"entity_id": [LIGHT], "brightness_pct": percent}
    ], said.reply


# Sentences about the blind at 40 percent, one after the other, and where it is then.
GONE_ON = [
    ("en", ("close the blinds by ten percent", "another five", "five more"), 20),
    ("en", ("open the blinds a bit", "a bit more"), 80),
    ("en", ("close the blinds a bit", "a bit more"), 0),
    ("de", ("Jalousien um zehn Prozent runter", "noch fünf Prozent", "weitere fünf"), 20),
    ("es", ("baja las persianas un diez por ciento", "otros cinco", "cinco más"), 20),
    ("fr", ("baisse les stores de dix pour cent", "encore cinq", "cinq de plus"), 20),
    ("it", ("abbassa le tapparelle del dieci per cento", "ancora cinque", "altri cinque"), 20),
    ("nl", ("doe de jaloezieën tien procent omlaag", "nog vijf", "nog vijf procent"), 20),
    ("pl", ("opuść rolety o dziesięć procent", "jeszcze pięć", "jeszcze o pięć procent"), 20),
    ("pt", ("baixa os estores dez por cento", "mais cinco", "outros cinco"), 20),
    ("sv", ("sänk persiennerna med tio procent", "fem till", "ytterligare fem procent"), 20),
]
# The fan of the living room is at 50 percent, in steps of 25.
SLOWER = [
    ("en", "ceiling fan slower", "even more"),
    ("de", "Ventilator langsamer", "noch mehr"),
    ("es", "ventilador más lento", "todavía más"),
    ("fr", "ventilateur moins vite", "encore plus"),
    ("it", "ventilatore più lento", "ancora di più"),
    ("nl", "ventilator langzamer", "nog meer"),
    ("pl", "wentylator wolniej", "jeszcze bardziej"),
    ("pt", "ventoinha mais devagar", "ainda mais"),
    ("sv", "fläkten långsammare", "ännu mer"),
]
# The fan of the air conditioner is at the second of three levels.
BLOWN = [
    ("en", "set the fan of the air conditioner to low", "turn it up"),
    ("de", "stell den Lüfter der Klimaanlage auf niedrig", "höher"),
    ("es", "pon la velocidad del aire acondicionado en baja", "súbela"),
    ("fr", "mets la ventilation de la clim sur faible", "plus haut"),
    ("it", "metti la ventola del condizionatore su bassa", "alzala"),
    ("nl", "zet de ventilator van de airco op laag", "hoger"),
    ("pl", "ustaw nawiew klimatyzacji na niski", "wyżej"),
    ("pt", "põe a velocidade do ar condicionado no mínimo", "sobe-a"),
    ("sv", "sätt fläkten på luftkonditioneringen på låg", "höj den"),
]


@in_one_house(("language", "texts", "position"), GONE_ON)
async def test_more_goes_the_way_of_the_step_before(
    speak: Setup, language: str, texts: tuple[str, ...], position: int
) -> None:
    """Go on from the last step, the same way and by what is said."""
    talk = await speak()
    said = [await talk.say(text, language=language, area="Bedroom") for text in texts]
    data = said[-1].calls[-1]["service_data"]
    assert data.get("position") == position, [each.reply for each in said]


@in_one_house(("language", "first", "more"), SLOWER)
async def test_more_of_slower_is_slower(speak: Setup, language: str, first: str, more: str) -> None:
    """Stay at the lowest speed of a fan that is to be slower still."""
    talk = await speak()
    said = [await talk.say(text, language=language, area="Living Room") for text in (first, more)]
    assert [call["service_data"]["percentage"] for each in said for call in each.calls] == [
        25,
        25,
    ], [each.reply for each in said]


@in_one_house(("language", "first", "more"), BLOWN)
async def test_higher_is_of_the_part_that_was_set(
    speak: Setup, language: str, first: str, more: str
) -> None:
    """Move the fan of an air conditioner that was spoken of, and not its temperature."""
    talk = await speak()
    said = [await talk.say(text, language=language, area="Bedroom") for text in (first, more)]
    modes = [call["service_data"].get("fan_mode") for each in said for call in each.calls]
    assert modes == ["low", "medium"], [each.reply for each in said]


# The soundbar of the living room plays; the player of the kitchen is silent.
HEARD = [
    ("en", "Kitchen", "pause the music", "media_pause"),
    ("en", "Kitchen", "next song", "media_next_track"),
    ("en", "Kitchen", "turn the music down", "volume_down"),
    ("de", "Kitchen", "Musik pausieren", "media_pause"),
    ("es", "Kitchen", "pausa la música", "media_pause"),
    ("fr", "Kitchen", "chanson suivante", "media_next_track"),
    ("fr", "Living Room", "plus fort", "volume_up"),
    ("it", "Kitchen", "metti in pausa la musica", "media_pause"),
    ("it", "Living Room", "più forte", "volume_up"),
    ("nl", "Kitchen", "volgende nummer", "media_next_track"),
    ("pl", "Kitchen", "zatrzymaj muzykę", "media_pause"),
    ("pl", "Living Room", "głośniej", "volume_up"),
    ("pt", "Kitchen", "pausa a música", "media_pause"),
    ("sv", "Kitchen", "pausa musiken", "media_pause"),
]
# Vanes that stand still, and the fan of the air conditioner at the second of three levels.
BLOWING = [
    ("en", "let the vanes swing", {"swing_mode": "vertical"}),
    ("en", "make the air conditioner blow harder", {"fan_mode": "high"}),
    ("de", "Lamellen der Klimaanlage schwenken lassen", {"swing_mode": "vertical"}),
    ("es", "que se muevan las lamas del aire", {"swing_mode": "vertical"}),
    ("es", "el aire que sople al máximo", {"fan_mode": "high"}),
    ("fr", "fais osciller les ailettes de la clim", {"swing_mode": "vertical"}),
    ("fr", "souffle de la clim à fond", {"fan_mode": "high"}),
    ("it", "fai oscillare le alette del condizionatore", {"swing_mode": "vertical"}),
    ("nl", "laat de airco harder blazen", {"fan_mode": "high"}),
    ("pl", "klimatyzacja niech dmucha mocniej", {"fan_mode": "high"}),
    ("pt", "põe as palhetas do ar condicionado a oscilar", {"swing_mode": "vertical"}),
    ("sv", "låt luftkonditioneringen svepa upp och ner", {"swing_mode": "vertical"}),
]


@in_one_house(("language", "area", "text", "service"), HEARD)
async def test_the_music_is_what_plays_in_the_home(
    speak: Setup, language: str, area: str, text: str, service: str
) -> None:
    """Ask the one player that plays, and not a silent one of the room or its lamps."""
    said = await (await speak()).say(text, language=language, area=area)
    assert [(call["service"], call["service_data"]["entity_id"]) for call in said.calls] == [
        (service, ["media_player.soundbar"])
    ], said.reply


@in_one_house(("language", "text", "data"), BLOWING)
async def test_what_cools_swings_and_blows(
    speak: Setup, language: str, text: str, data: dict[str, str]
) -> None:
    """Set the vanes and the fan of an air conditioner, and not its temperature."""
    said = await (await speak()).say(text, language=language, area="Bedroom")
    assert [call["service_data"] for call in said.calls] == [
        {"entity_id": ["climate.bed"], **data}
    ], said.reply
