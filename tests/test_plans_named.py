"""What is planned is taken back and asked about in few words: by kind, place, time, or what it is called."""

import re

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import later, planned
from tests.test_revised import FOR_AN_HOUR, LAMP, PLANS

_WAKE = {
    "en": "wake me at seven",
    "de": "weck mich um sieben",
    "es": "despiértame a las siete",
    "fr": "réveille-moi à sept heures",
    "it": "svegliami alle sette",
    "nl": "maak me om zeven uur wakker",
    "pl": "obudź mnie o siódmej",
    "pt": "acorda-me às sete",
    "sv": "väck mig klockan sju",
}
_QUIT = [
    ("en", "stop turning on Floor Lamp"),
    ("de", "hör auf, Floor Lamp einzuschalten"),
    ("es", "deja de encender Floor Lamp"),
    ("fr", "arrête d'allumer Floor Lamp"),
    ("it", "smetti di accendere Floor Lamp"),
    ("nl", "hou op met Floor Lamp aanzetten"),
    ("pl", "przestań włączać Floor Lamp"),
    ("pt", "para de acender Floor Lamp"),
    ("sv", "sluta tända Floor Lamp"),
]
_REMIND = {
    "en": "remind me at six to take out the bins",
    "de": "erinnere mich um sechs an den Müll",
    "es": "recuérdame a las seis la basura",
    "fr": "rappelle-moi à six heures de sortir les poubelles",
    "it": "ricordami alle sei di portare fuori la spazzatura",
    "nl": "herinner me om zes uur aan het vuilnis",
    "pl": "przypomnij mi o szóstej o śmieciach",
    "pt": "lembra-me às seis do lixo",
    "sv": "påminn mig klockan sex om soporna",
}


@in_one_house(
    ("language", "text"),
    [
        ("en", "leave the lamp alone after all"),
        ("en", "no need for the lamp any more"),
        ("en", "the lamp doesn't need to go on"),
        ("en", "strike that"),
        ("de", "die Lampe doch nicht"),
        ("de", "das mit der Lampe kannst du vergessen"),
        ("de", "lass die Lampe doch in Ruhe"),
        ("es", "quita lo de la luz"),
        ("es", "lo de la luz quítalo"),
        ("es", "la lámpara al final no"),
        ("es", "quita eso"),
        ("fr", "finalement pas la lampe"),
        ("fr", "pour la lampe laisse tomber"),
        ("fr", "enlève ça"),
        ("it", "togli la cosa della luce"),
        ("it", "la lampada alla fine no"),
        ("it", "lascia perdere la lampada"),
        ("nl", "die lamp hoeft niet"),
        ("nl", "dat van die lamp mag je vergeten"),
        ("nl", "haal dat van de lamp weg"),
        ("pl", "lampy jednak nie"),
        ("pl", "daj spokój z lampą"),
        ("pl", "usuń to"),
        ("pt", "afinal a lâmpada não"),
        ("pt", "tira isso da lâmpada"),
        ("pt", "esquece a lâmpada"),
        ("sv", "ta bort det"),
        ("sv", "lampan behövs inte"),
        ("sv", "ta bort det där med lampan"),
        *_QUIT,
    ],
)
async def test_a_plan_is_taken_back_by_its_kind_and_nothing_is_done_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language, area="Kitchen")
    said = await speaker.say(text, language=language, area="Kitchen")
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert await planned(hass) == []


@in_one_house(("language", "text"), _QUIT)
async def test_what_is_to_stop_being_done_is_not_done(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    assert not (await speaker.say(text, language=language)).calls


@in_one_house(
    ("language", "plan", "text"),
    [
        ("en", _WAKE, "turn off the alarm"),
        ("en", _WAKE, "no need to wake me"),
        ("en", _REMIND, "delete the reminder about the bins"),
        ("de", _WAKE, "stell den Wecker aus"),
        ("de", _REMIND, "die Erinnerung an den Müll brauche ich nicht mehr"),
        ("es", _WAKE, "quita la alarma"),
        ("es", _REMIND, "borra el recordatorio de la basura"),
        ("fr", _WAKE, "enlève le réveil"),
        ("fr", _REMIND, "supprime le rappel des poubelles"),
        ("it", _WAKE, "togli la sveglia"),
        ("it", _REMIND, "elimina il promemoria della spazzatura"),
        ("nl", _WAKE, "zet de wekker uit"),
        ("nl", _REMIND, "verwijder de herinnering aan het vuilnis"),
        ("pl", _WAKE, "wyłącz budzik"),
        ("pl", _REMIND, "usuń przypomnienie o śmieciach"),
        ("pt", _WAKE, "desliga o despertador"),
        ("pt", _REMIND, "apaga o lembrete do lixo"),
        ("sv", _WAKE, "stäng av väckarklockan"),
        ("sv", _REMIND, "ta bort påminnelsen om soporna"),
    ],
)
async def test_a_reminder_is_taken_back_by_what_it_is_called(
    hass: HomeAssistant, speak: Setup, language: str, plan: dict[str, str], text: str
) -> None:
    speaker = await speak()
    await speaker.say(plan[language], language=language)
    assert not (await speaker.say(text, language=language)).changes
    assert await planned(hass) == []


@in_one_house(
    ("language", "text", "none"),
    [
        ("en", "cancel the alarm", "Nothing is planned."),
        ("en", "do I have a reminder", "Nothing is planned."),
        ("en", "what is planned for tomorrow", "Nothing is planned."),
        ("de", "lösch den Wecker", "Es ist nichts geplant."),
        ("de", "habe ich eine Erinnerung", "Es ist nichts geplant."),
        ("es", "cancela la alarma", "No hay nada programado."),
        ("fr", "annule le réveil", "Rien n'est prévu."),
        ("it", "annulla la sveglia", "Non c'è niente in programma."),
        ("nl", "annuleer de wekker", "Er is niets gepland."),
        ("pl", "anuluj budzik", "Nic nie jest zaplanowane."),
        ("pt", "cancela o despertador", "Não há nada agendado."),
        ("sv", "ta bort väckarklockan", "Inget är planerat."),
    ],
)
async def test_it_is_said_that_there_is_no_such_plan(
    speak: Setup, language: str, text: str, none: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert said.reply == none
    assert not said.changes


@in_one_house(
    "text",
    [
        "forget the lamp",
        "cancel the alarm",
        "are any reminders left for me",
        "cancel the one at six",
    ],
)
async def test_what_nothing_is_planned_for_leaves_the_others(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say("set the bedroom heating to 19 degrees tomorrow at 8 pm")
    # What is planned is told, since somebody believes that it is not so.
    assert re.fullmatch(
        r"Nothing like that is planned\. Planned: .*Bedroom.*\.", (await speaker.say(text)).reply
    )
    assert len(await planned(hass)) == 1


@in_one_house(
    ("plans", "said", "left"),
    [
        (["turn on the floor lamp", "turn off the floor lamp"], ["cancel the lamp", "the second"], 1),
        (["turn on the floor lamp", "turn off the floor lamp"], ["cancel the one tomorrow"], 2),
        (["turn on the floor lamp", "set the bedroom heating to 19"], ["forget the heating one"], 1),
        (["turn on the floor lamp", "set the bedroom heating to 19"], ["cancel the lamp and the heating"], 0),
        (["remind me to eat", "remind me to feed the cat"], ["cancel all reminders"], 0),
        (["remind me to eat", "remind me to feed the cat"], ["cancel the reminder", "the cat one"], 1),
        (["turn on the floor lamp", "open the kitchen blinds"], ["don't dim the floor lamp"], 2),
        (["turn on the floor lamp", "open the kitchen blinds"], ["don't turn off the floor lamp"], 2),
    ],
)  # fmt: skip
async def test_only_what_is_named_is_taken_back(
    hass: HomeAssistant, speak: Setup, plans: list[str], said: list[str], left: int
) -> None:
    speaker = await speak()
    for at, plan in enumerate(plans):
        await speaker.say(f"{plan} in {at + 5} minutes")
    for text in said:
        assert not (await speaker.say(text)).changes
    assert len(await planned(hass)) == left


@in_one_house(
    ("language", "text"),
    [
        ("en", "when does the lamp go on?"),
        ("en", "how long until the floor lamp comes on"),
        ("en", "what is planned for tomorrow"),
        ("en", "what's planned in the living room"),
        ("en", "what did I ask you to do later"),
        ("de", "wann geht die Lampe an?"),
        ("de", "was ist für morgen geplant"),
        ("es", "¿cuándo se enciende la lámpara?"),
        ("es", "¿qué hay programado para mañana?"),
        ("fr", "quand est-ce que la lampe s'allume ?"),
        ("fr", "qu'est-ce qui est prévu pour demain"),
        ("it", "quando si accende la lampada?"),
        ("it", "cosa c'è in programma per domani"),
        ("nl", "wanneer gaat de lamp aan?"),
        ("nl", "wat staat er voor morgen gepland"),
        ("pl", "kiedy włączy się lampa?"),
        ("pl", "co jest zaplanowane na jutro"),
        ("pt", "quando é que a lâmpada acende?"),
        ("pt", "o que há agendado para amanhã"),
        ("sv", "när tänds lampan?"),
        ("sv", "vad är planerat i morgon"),
    ],
)
async def test_it_is_told_when_a_thing_is_planned(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert "Floor Lamp" in said.reply
    assert "20" in said.reply
    assert not said.changes
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "how much longer will the lamp be on"),
        ("de", "wie lange ist die Lampe noch an?"),
        ("es", "¿hasta cuándo estará encendida la lámpara?"),
        ("fr", "combien de temps la lampe reste encore allumée"),
        ("it", "per quanto resta ancora accesa la lampada"),
        ("nl", "hoe lang blijft de lamp nog aan"),
        ("pl", "jak długo jeszcze lampa będzie włączona"),
        ("pt", "quanto tempo a lâmpada ainda fica acesa"),
        ("sv", "hur länge är lampan tänd till"),
    ],
)
async def test_it_is_told_how_long_a_thing_stays_on(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(FOR_AN_HOUR[language], language=language)
    said = await speaker.say(text, language=language)
    assert "Floor Lamp" in said.reply
    assert "1" in said.reply
    assert LAMP in await later(hass, 4000)


@in_one_house(
    ("language", "text"),
    [
        ("en", "at what time did I want to be woken"),
        ("en", "when is the alarm"),
        ("de", "wann weckst du mich"),
        ("es", "¿a qué hora quería que me despertaras?"),
        ("fr", "à quelle heure je voulais être réveillé"),
        ("it", "a che ora volevo essere svegliato"),
        ("nl", "hoe laat wilde ik gewekt worden"),
        ("pl", "o której miałem być obudzony"),
        ("pt", "a que horas queria ser acordado"),
        ("sv", "när skulle jag bli väckt"),
    ],
)
async def test_it_is_told_when_somebody_is_woken(speak: Setup, language: str, text: str) -> None:
    speaker = await speak()
    await speaker.say(_WAKE[language], language=language)
    assert "07" in (await speaker.say(text, language=language)).reply
