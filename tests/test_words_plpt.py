"""Words of everyday Polish and Portuguese: verbs, nouns, amounts, wishes, questions and lists as people say them."""

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "words_plpt_house.yaml"

# What is called, of which devices, with what beside these.
DONE = [
    ("pl", ("Taras", "rozłóżcie markizę"), "open_cover", (["cover.awning"], {})),
    ("pl", ("Salon", "zostaw rolety na ćwierć"), "set_cover_position", ([], {"position": 25})),
    ("pl", ("Salon", "rolety podwiń do końca"), "open_cover", (["cover.blinds"], {})),
    ("pl", ("Salon", "prosiłabym o światło na tarasie"), "turn_on", (["light.terrace"], {})),
    ("pl", ("Salon", "pozgaszajcie światła w sypialni"), "turn_off", (["light.left"], {})),
    ("pl", ("Sypialnia", "zapalamy nocną po prawej stronie"), "turn_on", (["light.right"], {})),
    ("pl", ("Salon", "nie mogłabyś wyłączyć pralki"), "turn_off", (["switch.washer"], {})),
    ("pl", ("Salon", "jak to nie problem, wyłącz pralkę"), "turn_off", (["switch.washer"], {})),
    ("pl", ("Salon", "odpalajcie rosie"), "start", (["vacuum.rosie"], {})),
    ("pl", ("Salon", "rosie, jedź się doładować"), "return_to_base", (["vacuum.rosie"], {})),
    ("pl", ("Salon", "namierz rosie"), "locate", (["vacuum.rosie"], {})),
    ("pl", ("Taras", "zamykamy drzwi tarasowe na klucz"), "lock", (["lock.terrace"], {})),
    ("pl", ("Salon", "cofnij pauzę na soundbarze"), "media_play", (["media_player.soundbar"], {})),
    ("pl", ("Salon", "zmień numer"), "media_next_track", (["media_player.soundbar"], {})),
    ("pl", ("Salon", "soundbar na trzy dychy"), "volume_set", ([], {"volume_level": 0.3})),
    ("pl", ("Salon", "lampa łukowa na malinowo"), "turn_on", ([], {"color_name": "crimson"})),
    ("pl", ("Salon", "tutaj jest jak w lodówce"), "set_temperature", ([], {"temperature": 22})),
    ("pl", ("Sypialnia", "ale duchota"), "set_temperature", ([], {"temperature": 22})),
    ("pl", ("Salon", "dorzućcie kefir do zakupów"), "add_item", ([], {"item": "kefir"})),
    ("pl", ("Salon", "zanotuj też kefir na zakupach"), "add_item", ([], {"item": "kefir"})),
    ("pl", ("Salon", "skasuj mleko z listy sprawunków"), "remove_item", ([], {"item": "mleko"})),
    ("pl", ("Salon", "zgaś lampę łukową mała już śpi"), "turn_off", (["light.arc"], {})),
    ("pl", ("Taras", "zwińcie markizę nadciąga ulewa"), "close_cover", (["cover.awning"], {})),
    (
        "pl",
        ("Salon", "byłabym bardzo wdzięczna gdyby pralka nie chodziła"),
        "turn_off",
        (["switch.washer"], {}),
    ),
    ("pl", ("Salon", "wystarczy już, rosie do stacji"), "return_to_base", (["vacuum.rosie"], {})),
    ("pl", ("Salon", "cofnij się o jeden kawałek"), "media_previous_track", ([], {})),
    ("pl", ("Salon", "dalej nam zimno"), "set_temperature", ([], {"temperature": 22})),
    ("pt", ("Taras", "recolhe o toldo que vai chover"), "close_cover", (["cover.awning"], {})),
    (
        "pt",
        ("Salon", "apaga o candeeiro de arco que as visitas já dormem"),
        "turn_off",
        (["light.arc"], {}),
    ),
    ("pt", ("Salon", "o candeeiro de arco está a encandear"), "turn_on", (["light.arc"], {})),
    ("pt", ("Salon", "recua uma faixa"), "media_previous_track", ([], {})),
    ("pt", ("Taras", "estica o toldo todo"), "open_cover", (["cover.awning"], {})),
    ("pt", ("Salon", "acende a luz cá fora no terraço"), "turn_on", (["light.terrace"], {})),
    ("pt", ("Sypialnia", "alumia o candeeiro do lado direito"), "turn_on", (["light.right"], {})),
    (
        "pt",
        ("Salon", "se não te der trabalho apaga o candeeiro de arco"),
        "turn_off",
        (["light.arc"], {}),
    ),
    (
        "pt",
        ("Salon", "assim que puderes apaga o candeeiro de arco"),
        "turn_off",
        (["light.arc"], {}),
    ),
    (
        "pt",
        ("Salon", "dava-me jeito ter os estores fechados"),
        "close_cover",
        (["cover.blinds"], {}),
    ),
    ("pt", ("Salon", "rosie, dá uma aspiradela"), "start", (["vacuum.rosie"], {})),
    ("pt", ("Salon", "rosie vai para o teu sítio"), "return_to_base", (["vacuum.rosie"], {})),
    ("pt", ("Taras", "dá duas voltas à chave na porta do terraço"), "lock", (["lock.terrace"], {})),
    ("pt", ("Salon", "deixa tocar a barra de som"), "media_play", (["media_player.soundbar"], {})),
    ("pt", ("Salon", "passa para a seguinte"), "media_next_track", (["media_player.soundbar"], {})),
    ("pt", ("Sypialnia", "a c a vinte"), "set_temperature", (["climate.bed"], {"temperature": 20})),
    (
        "pt",
        ("Salon", "o candeeiro de arco em cor de mel"),
        "turn_on",
        ([], {"color_name": "goldenrod"}),
    ),
    ("pt", ("Salon", "estou cheia de frio"), "set_temperature", ([], {"temperature": 22})),
    ("pt", ("Sypialnia", "que calorão está aqui"), "set_temperature", ([], {"temperature": 22})),
    (
        "pt",
        ("Salon", "abranda a ventoinha"),
        "set_percentage",
        (["fan.living"], {"percentage": 25}),
    ),
    ("pt", ("Salon", "aponta aí azeite na lista de compras"), "add_item", ([], {"item": "azeite"})),
    ("pt", ("Salon", "mete azeite nas compras"), "add_item", ([], {"item": "azeite"})),
    (
        "pt",
        ("Salon", "acrescenta lavar o carro às tarefas"),
        "add_item",
        ([], {"item": "lavar o carro"}),
    ),
    (
        "pt",
        ("Salon", "dá o pão como comprado na lista de compras"),
        "update_item",
        ([], {"item": "pão"}),
    ),
]
# What is asked, and what the answer says.
ASKED = [
    ("pl", "ile baterii zostało jeszcze rosie", "64"),
    ("pl", "ile baterii jeszcze ma rosie", "64"),
    ("pl", "czy komuś kończy się bateria", "dzwonka"),
    ("pl", "jaką mamy teraz wilgotność w łazience", "71"),
    ("pl", "ile prądu żre pralka", "1200"),
    ("pl", "na jakiej głośności jest soundbar", "50"),
    ("pl", "jakie mamy obowiązki domowe", "podlać kwiaty"),
    ("pl", "mleko jest już na zakupach?", "mleko"),
    ("pt", "quanta bateria resta à rosie", "64"),
    ("pt", "que pilhas estão quase no fim", "dzwonka"),
    ("pt", "como anda a humidade na casa de banho", "71"),
    ("pt", "quanto puxa a máquina da roupa", "1200"),
    ("pt", "em quanto está o volume da barra de som", "50"),
    ("pt", "o que é que temos na lista de compras", "mleko"),
    ("pt", "já temos pão na lista de compras?", "pão"),
    ("pt", "quais são as minhas tarefas", "podlać kwiaty"),
]
# What is denied, told, or only thanks.
NOTHING = [
    ("pl", "nie rozkładaj markizy"),
    ("pl", "zostaw rolety"),
    ("pl", "nie zapalamy światła na tarasie"),
    ("pl", "siostra rozłożyła wczoraj markizę"),
    ("pl", "starczy, dzięki"),
    ("pl", "nie gaś lampy łukowej dzieci czytają"),
    ("pt", "não estiques o toldo"),
    ("pt", "o vizinho esticou o toldo"),
    ("pt", "acende a luz cá fora"),
    ("pt", "assim está bom, obrigadinha"),
]


@in_one_house(("language", "said_in", "action", "done"), DONE)
async def test_everyday_words_are_understood(
    speak: Setup,
    language: str,
    said_in: tuple[str, str],
    action: str,
    done: tuple[list[str], dict[str, object]],
) -> None:
    """Do what is said, with the devices that are named or the only one that can do it."""
    area, text = said_in
    entities, values = done
    said = await (await speak()).say(text, language=language, area=area)
    (call,) = said.calls
    data = call["service_data"]
    assert call["service"] == action, said.reply
    assert {key: data.get(key) for key in values} == values, said.reply
    assert set(entities) <= set(data["entity_id"]), said.reply


@in_one_house(("language", "text", "answer"), ASKED)
async def test_everyday_questions_are_answered(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    """Answer from the states and the lists, and do nothing."""
    said = await (await speak()).say(text, language=language, area="Salon")
    assert said.calls == []
    assert answer in said.reply, said.reply


@in_one_house(("language", "text"), NOTHING)
async def test_what_is_told_or_denied_does_nothing(speak: Setup, language: str, text: str) -> None:
    """Change nothing for what is denied, what others did, thanks, and a place that is not said."""
    said = await (await speak()).say(text, language=language, area="Salon")
    assert said.changes == {}, said.reply
