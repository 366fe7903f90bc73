"""Clauses that only tell something are left out; what somebody said is never carried out."""

from itertools import product

from homeassistant.core import HomeAssistant

from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.nlu.reader import Reader
from custom_components.bellboard.nlu.remarks import without_remarks
from tests.conftest import Setup
from tests.one_house import in_one_house

from .conftest import MakeHouse, reader_of

COMMAND = "turn on the floor lamp"
ASIDES = (
    "I'm off to bed",
    "we're expecting visitors",
    "it's gloomy as anything",
    "Grandma's here",
    "our guests are asleep",
    "the washer's finished",
)
NO_ASIDES = (
    "she told the neighbour",
    "he was shouting",
    "order a pizza",
    "the disco ball",
)

# A second wish that nobody understands, joined to a command.
WISHES = (
    ("en", "turn off the Reading Lamp and we want to sleep like logs"),
    ("en", "turn off the Reading Lamp and I don't want to hear anything"),
    ("de", "mach Reading Lamp aus und ich will nichts hören"),
    ("de", "mach Reading Lamp aus und es soll mucksmäuschenstill sein"),
    ("es", "apaga la Reading Lamp y que no se oiga nada"),
    ("fr", "éteins la Reading Lamp et qu'on n'entende rien"),
    ("fr", "éteins la Reading Lamp et je ne veux rien entendre"),
    ("it", "spegni la Reading Lamp e che non si senta niente"),
    ("nl", "doe de Reading Lamp uit en ik wil niks horen"),
    ("pl", "zgaś Reading Lamp i żeby nic nie było słychać"),
    ("pt", "apaga a Reading Lamp e que não se oiça nada"),
    ("sv", "släck Reading Lamp och att man inte hör något"),
)


async def _reader(hass: HomeAssistant, make_house: MakeHouse) -> Reader:
    return reader_of(hass, await make_house("en"))


@in_one_house(
    ("aside", "pattern"),
    product(ASIDES, ["{aside}, {command}", "{command}, {aside}", "{aside}, so {command}"]),
)
async def test_a_reason_beside_a_command_is_left_out(
    hass: HomeAssistant, make_house: MakeHouse, aside: str, pattern: str
) -> None:
    reader = await _reader(hass, make_house)
    [part] = reader.read(pattern.format(aside=aside, command=COMMAND))
    assert [action.targets for action in part.actions] == [("light.floor_lamp",)]


@in_one_house("text", NO_ASIDES)
async def test_other_words_beside_a_command_are_no_reason(
    hass: HomeAssistant, make_house: MakeHouse, text: str
) -> None:
    reader = await _reader(hass, make_house)
    assert not reader.read(f"{text}, {COMMAND}")


async def test_a_reason_alone_is_no_command(hass: HomeAssistant, make_house: MakeHouse) -> None:
    reader = await _reader(hass, make_house)
    assert not any(part.actions for text in ASIDES for part in reader.read(text))


@in_one_house(("language", "text"), WISHES)
async def test_a_second_wish_is_never_left_out_silently(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    # One sentence tells what was done, another that not all was understood.
    assert not said.changes or len(said.reply.split(". ")) > 1, said.reply


LATER = {
    "en": "turn off the lamp at nine",
    "de": "schalte um neun die Lampe aus",
    "es": "apaga la lámpara a las nueve",
    "fr": "éteins la lampe à neuf heures",
    "it": "spegni la lampada alle nove",
    "nl": "doe de lamp om negen uur uit",
    "pl": "wyłącz lampę o dziewiątej",
    "pt": "apaga o candeeiro às nove",
    "sv": "släck lampan klockan nio",
}
REMARKS = {
    "en": ("{} we are doing a film night", "{} so I don't forget it", "I have got to pack so {}",
           "{} because the window's still open", "{} I've got to make a call", "ah yes before I forget {}",
           "{} my cousins arrive at noon", "{} Emily has a headache"),
    "de": ("{} draußen ist es ja stockdunkel", "{} damit ich es nicht vergesse", "ich muss noch packen also {}",
           "{} weil das Fenster noch offen ist", "{} dann muss ich die Blumen reinholen",
           "ach ja bevor ich's vergesse {}", "{} meine Schwiegereltern kommen um zwölf", "{} da muss sie ins Bett"),
    "es": ("{} así no se me olvida",
           "{} porque la ventana está abierta", "{} que tengo que madrugar", "por cierto antes de que se me olvide {}",
           "{} mis primos llegan a mediodía", "{} que si no se me arruga la ropa"),
    "fr": ("{} on fait une soirée ciné",
           "{} parce que la fenêtre est ouverte", "{} j'ai un train", "ah tiens au fait {}",
           "{} les beaux-parents arrivent à midi", "{} comme ça j'oublie pas de vider"),
    "it": ("{} così non me lo dimentico",
           "{} perché la finestra è aperta", "{} che devo stendere", "ah prima che me lo scordo {}",
           "{} i miei cugini arrivano a mezzogiorno", "{} che viene la signora delle pulizie"),
    "nl": ("{} we doen filmavond",
           "{} want het raam staat open", "{} ik moet de trein halen", "o ja voor ik het vergeet {}",
           "{} mijn schoonmoeder heeft hoofdpijn", "{} anders vergeet ik de was"),
    "pl": ("{} żebym nie zapomniał",
           "{} bo okno jest otwarte", "{} muszę wcześnie wstać", "a zanim zapomnę {}",
           "{} teściowie przyjeżdżają w południe", "{} inaczej zapomnę o praniu"),
    "pt": ("{} para não me esquecer",
           "{} porque a janela está aberta", "{} que tenho de acordar cedo", "já agora antes que me esqueça {}",
           "{} os meus primos chegam ao meio-dia", "{} senão esqueço-me da roupa"),
    "sv": ("{} så jag inte glömmer det",
           "{} eftersom fönstret är öppet", "{} jag måste upp tidigt", "just det innan jag glömmer det {}",
           "{} mina kusiner kommer klockan tolv", "{} annars glömmer jag tvätten"),
}  # fmt: skip
"""What is said beside a command for later in each language, and tells only why."""
NO_REMARKS = {
    "en": ("{} my aquarium too", "{} we are tired forget it",
           "{} and make sure nobody hears anything", "{} because I'm tired turn on the heating", "{} I'm only joking",
           "{} he is tired unless she is here", "{} otherwise leave it on"),
    "de": ("{} mein Aquarium auch", "{} ich bin müde vergiss es",
           "{} und dass mir keiner was hört", "{} weil ich müde bin schalte die Heizung ein", "{} ich mach nur Spaß",
           "{} sie ist müde falls sie da ist", "{} sonst lass sie an"),
    "es": ("{} mi acuario también", "{} mi acuario no",
           "{} y que no se oiga nada", "{} porque tengo frío enciende la calefacción", "{} es broma",
           "{} que está cansado si no hay nadie", "{} excepto la lámpara"),
    "fr": ("{} mon aquarium aussi",
           "{} et que personne n'entende rien", "{} parce que j'ai froid allume le chauffage", "{} je plaisante",
           "{} elle est fatiguée sauf si elle est là", "{} sinon laisse la allumée"),
    "it": ("{} il mio acquario anche",
           "{} e che nessuno senta niente", "{} perché ho freddo accendi il riscaldamento", "{} è uno scherzo",
           "{} è stanco se non c'è nessuno", "{} tranne la lampada"),
    "nl": ("{} mijn aquarium ook",
           "{} en zorg dat niemand iets hoort", "{} want ik heb het koud zet de verwarming aan",
           "{} ik maak een grapje",
           "{} hij is moe tenzij ze er is", "{} behalve de lamp"),
    "pl": ("{} moje akwarium też",
           "{} i żeby nikt nic nie słyszał", "{} bo mi zimno włącz ogrzewanie", "{} to żart",
           "{} jest zmęczony chyba że jej nie ma", "{} oprócz lampy"),
    "pt": ("{} o meu aquário também", "{} o meu aquário não",
           "{} e que ninguém ouça nada", "{} porque tenho frio liga o aquecimento", "{} estou a brincar",
           "{} ele está cansado se não houver ninguém", "{} exceto o candeeiro"),
    "sv": ("{} mitt akvarium också",
           "{} och se till att ingen hör något", "{} eftersom jag fryser sätt på värmen", "{} jag skojar bara",
           "{} han är trött om hon inte är hemma", "{} utom lampan"),
}  # fmt: skip
"""What is no remark: another wish, a condition, an exception, or what takes the command back."""


async def _cuts(hass: HomeAssistant, make_house: MakeHouse, code: str, text: str) -> list[str]:
    language = await async_get_language(hass, code)
    return list(without_remarks(text, language, await make_house(code)))


@in_one_house(("code", "said"), [(code, each) for code, said in REMARKS.items() for each in said])
async def test_a_remark_that_nothing_separates_is_cut(
    hass: HomeAssistant, make_house: MakeHouse, code: str, said: str
) -> None:
    cuts = await _cuts(hass, make_house, code, said.format(LATER[code]))
    assert cuts[:1] == [LATER[code]]


@in_one_house(
    ("code", "said"), [(code, each) for code, said in NO_REMARKS.items() for each in said]
)
async def test_what_is_more_than_a_remark_is_not_cut(
    hass: HomeAssistant, make_house: MakeHouse, code: str, said: str
) -> None:
    assert LATER[code] not in await _cuts(hass, make_house, code, said.format(LATER[code]))
