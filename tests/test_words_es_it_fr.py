"""Everyday words of Spanish, Italian and French, of several regions, and what people put around them."""

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "words_es_it_fr_house.yaml"
LAMP, PLAYER, HEATING, FAN = "light.ceiling", "media_player.radio", "climate.living", "fan.living"
BLIND, LOCK, ROBOT = "cover.living", "lock.back_door", "vacuum.robi"
TOLD = [
    ("es", "apaga la lámpara que viene mi cuñada", f"light.turn_off {LAMP}"),
    (
        "es",
        "pon la calefacción a 23 que se nos hiela la abuela",
        f"climate.set_temperature {HEATING}",
    ),
    ("es", "dile a Robi que se vuelva a su rincón", f"vacuum.return_to_base {ROBOT}"),
    ("es", "retrocede una canción", f"media_player.media_previous_track {PLAYER}"),
    ("it", "spegni il lampadario che arrivano i miei", f"light.turn_off {LAMP}"),
    ("it", "chiudi la tapparella che entra il sole", f"cover.close_cover {BLIND}"),
    ("it", "spegni il ventilatore mia figlia dorme", f"fan.turn_off {FAN}"),
    ("it", "torna indietro di un brano", f"media_player.media_previous_track {PLAYER}"),
    ("fr", "éteins le plafonnier la petite dort", f"light.turn_off {LAMP}"),
    ("fr", "ferme le store le soleil tape", f"cover.close_cover {BLIND}"),
    ("fr", "dis à Robi de commencer le ménage", f"vacuum.start {ROBOT}"),
    ("fr", "recule d'un morceau", f"media_player.media_previous_track {PLAYER}"),
    ("es", "echa el pestillo a la puerta trasera", f"lock.lock {LOCK}"),
    ("es", "dale una vuelta de llave a la puerta trasera", f"lock.lock {LOCK}"),
    ("es", "atranca la puerta trasera", f"lock.lock {LOCK}"),
    ("es", "quítale el candado a la puerta trasera", f"lock.unlock {LOCK}"),
    ("es", "jopé, qué oscuro está, no se ve ni jota", f"light.turn_on {LAMP}"),
    ("es", "no se ve un pimiento", f"light.turn_on {LAMP}"),
    ("es", "apaga la dichosa lámpara", f"light.turn_off {LAMP}"),
    ("es", "pon una luz tenue", f"light.turn_on {LAMP}"),
    ("es", "ya no hace falta la lámpara", f"light.turn_off {LAMP}"),
    ("es", "apaga el techo, majo", f"light.turn_off {LAMP}"),
    ("es", "brrr, qué frío", f"climate.set_temperature {HEATING}"),
    ("es", "hace un frío que pela", f"climate.set_temperature {HEATING}"),
    ("es", "me estoy achicharrando", f"climate.set_temperature {HEATING}"),
    ("es", "sube la calefa dos grados", f"climate.set_temperature {HEATING}"),
    ("es", "caliéntame un poco la habitación", f"climate.set_temperature {HEATING}"),
    ("es", "pon el ventilador a toda leche", f"fan.set_percentage {FAN}"),
    ("es", "baja el ventilador una rayita", f"fan.set_percentage {FAN}"),
    ("es", "ponle pausa a la radio", f"media_player.media_pause {PLAYER}"),
    ("es", "estoy harto de la música", f"media_player.media_pause {PLAYER}"),
    ("es", "baja la voz un pelín, porfaplis", f"media_player.volume_down {PLAYER}"),
    ("es", "abre una rendija la persiana", f"cover.set_cover_position {BLIND}"),
    ("es", "que Robi comience a barrer", f"vacuum.start {ROBOT}"),
    ("es", "dale una pasadita al salón", f"vacuum.start {ROBOT}"),
    ("it", "dai un giro di chiave alla porta sul retro", f"lock.lock {LOCK}"),
    ("it", "metti il paletto alla porta sul retro", f"lock.lock {LOCK}"),
    ("it", "togli il chiavistello alla porta sul retro", f"lock.unlock {LOCK}"),
    ("it", "non si vede una mazza", f"light.turn_on {LAMP}"),
    ("it", "spegni sto lampadario", f"light.turn_off {LAMP}"),
    ("it", "spegni quel cavolo di lampadario", f"light.turn_off {LAMP}"),
    ("it", "stuta il lampadario, ué", f"light.turn_off {LAMP}"),
    ("it", "se hai un attimo spegni il lampadario", f"light.turn_off {LAMP}"),
    ("it", "non mi serve più il lampadario", f"light.turn_off {LAMP}"),
    ("it", "luce soffusa per favore", f"light.turn_on {LAMP}"),
    ("it", "metti una luce calda", f"light.turn_on {LAMP}"),
    ("it", "spegni il lampadario perché mi acceca", f"light.turn_off {LAMP}"),
    ("it", "ho bisogno di luce", f"light.turn_on {LAMP}"),
    ("it", "brrr, fa freschetto", f"climate.set_temperature {HEATING}"),
    ("it", "fa un freddo della madonna", f"climate.set_temperature {HEATING}"),
    ("it", "mi sto sciogliendo", f"climate.set_temperature {HEATING}"),
    ("it", "scalda un pochino", f"climate.set_temperature {HEATING}"),
    ("it", "ventilatore a cannone", f"fan.set_percentage {FAN}"),
    ("it", "fai girare il ventilatore", f"fan.turn_on {FAN}"),
    ("it", "abbassa sta musica di un filino", f"media_player.volume_down {PLAYER}"),
    ("it", "non voglio più sentire musica", f"media_player.media_pause {PLAYER}"),
    ("it", "non si potrebbe chiudere la tapparella", f"cover.close_cover {BLIND}"),
    ("it", "manda Robi a pulire", f"vacuum.start {ROBOT}"),
    ("it", "Robi, a cuccia", f"vacuum.return_to_base {ROBOT}"),
    ("fr", "donne deux tours de clé à la porte de derrière", f"lock.lock {LOCK}"),
    ("fr", "mets le loquet à la porte de derrière", f"lock.lock {LOCK}"),
    ("fr", "enlève la chaîne de la porte de derrière", f"lock.unlock {LOCK}"),
    ("fr", "on y voit que dalle", f"light.turn_on {LAMP}"),
    ("fr", "vire le plafonnier", f"light.turn_off {LAMP}"),
    ("fr", "éteins ce putain de plafonnier", f"light.turn_off {LAMP}"),
    ("fr", "éteins le plafonnier steuplé mon pote", f"light.turn_off {LAMP}"),
    ("fr", "y a trop de lumière", f"light.turn_on {LAMP}"),
    ("fr", "mets une lumière tamisée", f"light.turn_on {LAMP}"),
    ("fr", "lumière chaude", f"light.turn_on {LAMP}"),
    ("fr", "y a plus besoin de lumière", f"light.turn_off {LAMP}"),
    ("fr", "on se caille", f"climate.set_temperature {HEATING}"),
    ("fr", "j'ai les pieds gelés", f"climate.set_temperature {HEATING}"),
    ("fr", "je crève de chaud", f"climate.set_temperature {HEATING}"),
    ("fr", "il fait super chaud", f"climate.set_temperature {HEATING}"),
    ("fr", "le ventilateur à donf", f"fan.set_percentage {FAN}"),
    ("fr", "accélère un peu le ventilateur", f"fan.set_percentage {FAN}"),
    ("fr", "baisse le ventilateur d'une barre", f"fan.set_percentage {FAN}"),
    ("fr", "coupe la zik", f"media_player.media_pause {PLAYER}"),
    ("fr", "marre de cette musique", f"media_player.media_pause {PLAYER}"),
    ("fr", "ras le bol de la radio", f"media_player.turn_off {PLAYER}"),
    ("fr", "mets-moi le ventilateur", f"fan.turn_on {FAN}"),
    ("fr", "envoie Robi faire le ménage", f"vacuum.start {ROBOT}"),
    ("fr", "Robi, à la niche", f"vacuum.return_to_base {ROBOT}"),
]
ASKED = [
    ("es", "¿a cuánto estamos en el baño?", "24"),
    ("es", "¿cuál es la habitación más fresquita?", "15"),
    ("es", "¿ha terminado ya la lavadora?", "No"),
    ("es", "¿está echado el cerrojo de la puerta trasera?", "No"),
    ("es", "¿hay alguna pila en las últimas?", "Bell"),
    ("it", "quanto fa in bagno?", "24"),
    ("it", "qual è la stanza meno calda?", "15"),
    ("it", "la lavatrice ha finito?", "No"),
    ("it", "la lavatrice sta girando?", "Sì"),
    ("it", "com'è la temperatura in bagno", "24"),
    ("fr", "ça donne quoi la température dans la salle de bain", "24"),
    ("fr", "quelle est la pièce la moins chaude ?", "15"),
    ("fr", "est-ce que la machine à laver a fini ?", "Non"),
    ("fr", "est-ce que la machine à laver tourne encore ?", "Oui"),
    ("fr", "est-ce qu'il y a des piles à changer ?", "Bell"),
    ("es", "¿qué temperatura marca el baño?", "24"),
    ("es", "¿hay que cambiar alguna pila?", "Bell"),
    ("es", "dime qué sabes hacer", "asistente"),
    ("it", "come sta la tapparella?", "Tapparella"),
    ("it", "che volume ha la radio?", "50"),
    ("it", "a cosa servi?", "assistente"),
    ("fr", "la porte est fermée à clé ?", "Non"),
    ("fr", "à quelle vitesse tourne le ventilateur ?", "%"),
    ("fr", "à quoi tu sers ?", "assistant"),
    ("es", "muchísimas gracias", "De nada"),
    ("it", "grazie infinite", "Prego"),
    ("fr", "merci mille fois", "Je t'en prie"),
]
NOTHING = [
    ("es", "no le des la vuelta a la llave de la puerta trasera"),
    ("es", "la luz está tenue"),
    ("es", "ya no hace falta que bajes la persiana"),
    ("es", "cuando termine la lavadora apaga la lámpara"),
    ("es", "ya he echado el cerrojo"),
    ("it", "la luce è soffusa"),
    ("it", "non mi serve più che accendi il ventilatore"),
    ("it", "sto spegnendo il lampadario"),
    ("it", "non dare un giro di chiave alla porta sul retro"),
    ("fr", "la lumière est tamisée"),
    ("fr", "vire pas la musique"),
    ("fr", "donne-moi le volume de la radio"),
    ("fr", "j'ai déjà donné un tour de clé"),
    ("fr", "envoie un message à Marc"),
]


@in_one_house(("language", "text", "call"), TOLD)
async def test_it_is_done(speak: Setup, language: str, text: str, call: str) -> None:
    """Call the service of what is meant."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    made = [
        f"{each['domain']}.{each['service']} {', '.join(each['service_data']['entity_id'])}"
        for each in said.calls
    ]
    assert made == [call], said.reply


@in_one_house(("language", "text", "answer"), ASKED)
async def test_it_is_answered(speak: Setup, language: str, text: str, answer: str) -> None:
    """Answer, and change nothing."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert (said.changes, answer in said.reply) == ({}, True), said.reply


@in_one_house(("language", "text"), NOTHING)
async def test_what_is_denied_or_told_is_not_done(speak: Setup, language: str, text: str) -> None:
    """Change nothing."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert said.changes == {}, said.reply
