"""Swedish, Dutch, English and German as spoken at home: colloquial words, inflected names, interjections, answers."""

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_helpers_said import made

HOUSE_FILE = "words_house.yaml"
LIVING, KITCHEN, TERRACE = "Living Room", "Kitchen", "Terrace"
DONE = [
    ("sv", TERRACE, "rulla in markisen det regnar", "cover.close_cover cover.shade"),
    ("sv", LIVING, "släck bordslampan lillan har somnat", "light.turn_off light.table"),
    ("sv", LIVING, "vänster lampa kan slockna", "light.turn_off light.left"),
    ("sv", LIVING, "tänn stjärnlampan åt mormor", "light.turn_on light.star"),
    ("nl", LIVING, "tafellamp uit de kleine slaapt", "light.turn_off light.table"),
    ("nl", KITCHEN, "zet het wafelijzer uit oma is er", "switch.turn_off switch.oven"),
    ("nl", LIVING, "zou u zo goed willen zijn de sterlamp aan te doen", "light.turn_on light.star"),
    ("nl", LIVING, "ga een liedje terug", "media_player.media_previous_track media_player.stereo"),
    ("en", LIVING, "table lamp off he's asleep", "light.turn_off light.table"),
    ("en", LIVING, "put the star lamp on for grandma", "light.turn_on light.star"),
    ("en", LIVING, "could do with the table lamp off", "light.turn_off light.table"),
    ("en", KITCHEN, "lock the back door behind me", "lock.lock lock.back"),
    ("en", LIVING, "do a bit of hoovering", "vacuum.start vacuum.dusty"),
    ("en", LIVING, "skip back one song", "media_player.media_previous_track media_player.stereo"),
    ("en", LIVING, "make the star lamp a lovely deep blue", "light.turn_on light.star"),
    ("de", LIVING, "table lamp aus der besuch ist weg", "light.turn_off light.table"),
    ("de", LIVING, "die table lamp hätt ich gern aus", "light.turn_off light.table"),
    ("de", LIVING, "table lamp ein wenig schummriger", "light.turn_on light.table"),
    ("de", LIVING, "schick dusty zurück auf seine station", "vacuum.return_to_base vacuum.dusty"),
    ("sv", KITCHEN, "dra igång vaffelmaskinen är du snäll", "switch.turn_on switch.oven"),
    ("sv", LIVING, "be dusty dammsuga", "vacuum.start vacuum.dusty"),
    ("sv", LIVING, "dusty kan ta en liten sväng", "vacuum.start vacuum.dusty"),
    ("sv", TERRACE, "ut med markisen", "cover.open_cover cover.shade"),
    ("sv", TERRACE, "ta in markisen", "cover.close_cover cover.shade"),
    ("sv", TERRACE, "fäll ihop markisen", "cover.close_cover cover.shade"),
    ("sv", LIVING, "släpp ner persiennerna", "cover.close_cover cover.blinds"),
    ("sv", KITCHEN, "fixa lite ljus", "light.turn_on light.kitchen"),
    ("sv", LIVING, "låt stjärnlampan lysa grönt", "light.turn_on light.star"),
    ("sv", LIVING, "bordslampan ska lysa svagare", "light.turn_on light.table"),
    ("sv", KITCHEN, "man ser ju ingenting", "light.turn_on light.kitchen"),
    ("sv", LIVING, "fy vad jag fryser", "climate.set_temperature climate.heating"),
    ("sv", LIVING, "gå tillbaka en låt", "media_player.media_previous_track media_player.stereo"),
    ("sv", LIVING, "vi vill slippa bordslampan", "light.turn_off light.table"),
    ("sv", LIVING, "sätt golvfläkten på trean", "fan.set_percentage fan.floor"),
    ("sv", LIVING, "det får gärna bli lite varmare", "climate.set_temperature climate.heating"),
    ("nl", LIVING, "laat dusty eens een rondje rijden", "vacuum.start vacuum.dusty"),
    ("nl", LIVING, "zet dusty aan het werk", "vacuum.start vacuum.dusty"),
    ("nl", LIVING, "geef de sterlamp een paars tintje", "light.turn_on light.star"),
    ("nl", LIVING, "de linkse lamp uit", "light.turn_off light.left"),
    ("nl", KITCHEN, "zet het wafelijzer maar af", "switch.turn_off switch.oven"),
    ("nl", TERRACE, "zonnescherm naar buiten", "cover.open_cover cover.shade"),
    ("nl", TERRACE, "zonnescherm naar binnen", "cover.close_cover cover.shade"),
    ("nl", LIVING, "jaloezieën op een kiertje", "cover.set_cover_position cover.blinds"),
    ("nl", LIVING, "vloerventilator op volle toeren", "fan.set_percentage fan.floor"),
    ("nl", LIVING, "de vloerventilator wat kalmer", "fan.set_percentage fan.floor"),
    ("nl", LIVING, "brr, ik verkleum", "climate.set_temperature climate.heating"),
    ("nl", LIVING, "pff ik zit hier te puffen", "climate.set_temperature climate.heating"),
    ("nl", LIVING, "van mij mag de tafellamp uit", "light.turn_off light.table"),
    ("nl", KITCHEN, "laten we de keukenlamp aandoen", "light.turn_on light.kitchen"),
    ("nl", LIVING, "gooi ook nog uien op de lijst", "todo.add_item todo.shopping"),
    ("sv", LIVING, "lägg på lök på handlingslappen", "todo.add_item todo.shopping"),
]
TOLD = [
    ("sv", LIVING, "behöver dusty laddas", "55"),
    ("sv", LIVING, "hur mycket batteri har dusty kvar", "55"),
    ("sv", LIVING, "hur fort snurrar golvfläkten", "Floor Fan: "),
    ("sv", LIVING, "är nån dörr olåst", "Ja"),
    ("sv", LIVING, "spelas det nåt just nu", "Kettle Song"),
    ("sv", LIVING, "vem är det som sjunger", "Mossfield"),
    ("sv", LIVING, "står det rice på listan", "rice"),
    ("sv", LIVING, "tack, det blev jättebra", "Varsågod"),
    ("nl", LIVING, "moet dusty opgeladen worden", "55"),
    ("nl", LIVING, "op welke stand draait de vloerventilator", "Floor Fan: "),
    ("nl", LIVING, "is het zonnescherm uitgeklapt", "Nee"),
    ("nl", LIVING, "staat er muziek op", "Kettle Song"),
    ("nl", LIVING, "hebben we al rice op de lijst", "rice"),
    ("nl", LIVING, "wat moeten we nog kopen volgens de boodschappenlijst", "rice"),
    ("nl", LIVING, "da's goed, merci", "Graag gedaan"),
]
# Denied, asked or told only; "till" says no direction.
NOTHING = [
    ("sv", "lås inte bakdörren"),
    ("sv", "tänd inte kökslampan"),
    ("sv", "öppna inte markisen"),
    ("sv", "är dusty laddad"),
    ("sv", "jag har redan släckt bordslampan"),
    ("nl", "verwarmt de verwarming"),
    ("nl", "ik heb de tafellamp al uitgedaan"),
    ("nl", "zet de keukenlamp niet aan"),
    ("nl", "zet de keukenlamp niet aan de kinderen slapen"),
    ("en", "don't put the kitchen lamp on she's asleep"),
    ("en", "turn off the lamp behind me"),
    ("de", "mach die table lamp nicht aus der besuch ist da"),
]
# What was said, what follows, and what that does.
FOLLOWING = [
    ("sv", "sänk musiken", "lite till", ["media_player.volume_down media_player.stereo"]),
    ("sv", "gör det mörkare", "lite till", []),
    (
        "sv",
        "ställ värmen på 18",
        "nä vänta tillbaka som det var",
        ["climate.set_temperature climate.heating"],
    ),
    ("sv", "gör stjärnlampan röd", "äsch ta blå", ["light.turn_on light.star"]),
    (
        "nl",
        "verwarming op 18",
        "toch maar terug naar wat het was",
        ["climate.set_temperature climate.heating"],
    ),
    ("nl", "maak de sterlamp rood", "nee joh, blauw", ["light.turn_on light.star"]),
]


@in_one_house(("language", "area", "text", "call"), DONE)
async def test_everyday_words_are_understood(
    speak: Setup, language: str, area: str, text: str, call: str
) -> None:
    """Call one service for one device."""
    said = await (await speak()).say(text, language=language, area=area)
    assert made(said) == [call], said.reply


@in_one_house(("language", "area", "text", "answer"), TOLD)
async def test_everyday_questions_are_answered(
    speak: Setup, language: str, area: str, text: str, answer: str
) -> None:
    """Answer, and call nothing but what reads a list."""
    said = await (await speak()).say(text, language=language, area=area)
    assert answer in said.reply
    assert said.changes == {}


@in_one_house(("language", "text"), NOTHING)
async def test_what_is_denied_or_told_is_not_done(speak: Setup, language: str, text: str) -> None:
    """Call nothing, for the thing that is named or any other."""
    said = await (await speak()).say(text, language=language, area=LIVING)
    assert made(said) == [], said.reply


@in_one_house(("language", "text", "more", "calls"), FOLLOWING)
async def test_what_follows_goes_on_or_back(
    speak: Setup, language: str, text: str, more: str, calls: list[str]
) -> None:
    """Go on in the same direction, correct, or put back what was done."""
    speaker = await speak()
    await speaker.say(text, language=language, area=LIVING)
    said = await speaker.say(more, language=language, area=LIVING)
    assert made(said) == calls, said.reply
