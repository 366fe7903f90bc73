"""Splits a sentence into its requests."""

from collections.abc import Sequence

from ..agents.models import AgentCard
from ..home.names import words_of
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.reminders import read_reminder
from ..nlu.tokens import MAX_REQUESTS, Phrase, Token, spoken_words, tokenise, without_first
from .evidence import spoken_agents

# Words that tell what a piece is stand within so many characters.
_BEGINNING = 32


def split_requests(text: str, language: Language, *, may_ask: bool = False) -> list[str]:
    """Return the requests in a sentence, word for word and in order; with `may_ask` also the questions.

    A piece that does not begin like a request ("the fan" in "turn on the light and the fan") stays
    with the one before it, so that no instruction loses its verb. A language without known verbs is
    split at every join. A sentence with too many requests is not split.
    """
    pieces: list[str] = []
    end = 0
    for join in language.joins.finditer(text):
        following = text[join.end() : join.end() + _BEGINNING]
        before = text[end : join.start()][:_BEGINNING]
        is_asked = may_ask and _begins_question(following, language, before)
        if not (is_asked or begins_request(following, language)):
            continue
        pieces.append(text[end : join.start()].strip())
        end = join.end()
        if len(pieces) == MAX_REQUESTS:
            return [text]
    pieces.append(text[end:].strip(" ,;.!"))
    if len(pieces) > 1 and _is_no_request(pieces[0], language):
        # "Tonight, turn on the lamp" is not for now, whatever comes after the comma.
        return [text]
    return [piece for piece in pieces if words_of(piece)]


def told_apart(text: str, language: Language) -> list[str]:
    """Return what a text asks to be told, each as a request of its own; [] where it is one thing or none.

    "Tell me the weather and how warm it is" asks for two: what follows the join begins with a word for a question.
    """
    if not language.joins.search(text):
        return []
    reminder = read_reminder(text, language.reminders)
    said = reminder.said if reminder and reminder.asks else ""
    begin = text.find(said) if said else 0
    pieces = _joined_apart(said, language, language.reminders.questions)
    reworded = language.reminders.reworded
    return [reworded.get(spoken_words(piece)) or f"{text[:begin]}{piece}" for piece in pieces]


def awaited_apart(text: str, language: Language) -> list[str]:
    """Return what a text asks to be told of, each as a request of its own; [] where that is one thing or none.

    "Let me know when the oven is done and when the washer is": what follows the join begins with a word like "when".
    """
    if not language.joins.search(text):
        return []
    waits = language.lexicon.announcing.waits
    tokens = tokenise(text)
    at = next((at for at in range(len(tokens)) if without_first(tokens[at:], waits)[1]), 0)
    begin = tokens[at].start if at else 0
    if not begin or not language.triggers.tells(text[:begin].strip()):
        return []
    pieces = _joined_apart(text[begin:], language, waits)
    return [f"{text[:begin]}{piece}" for piece in pieces]


def _joined_apart(text: str, language: Language, begins: Sequence[Phrase]) -> list[str]:
    """Return the pieces of a text that are joined before words that begin one, also after an "also"; [] for one."""
    pieces: list[str] = []
    end = 0
    for join in language.joins.finditer(text):
        following = text[join.end() :]
        tokens: Sequence[Token] = tokenise(following)
        is_filler = True
        while is_filler and tokens:
            tokens, is_filler = without_first(tokens, language.reminders.fillers)
        if tokens and without_first(tokens, begins)[1]:
            pieces.append(text[end : join.start()].strip(" ,"))
            end = join.end() + tokens[0].start
    return [*pieces, text[end:]] if pieces else []


def own_pieces(text: str, language: Language, cards: Sequence[AgentCard]) -> list[str]:
    """Return what each of several agents is told of a request that is for all of them.

    Where the words tell whose each piece is, that is the agent's own; else all are told all of it. So they are of a
    command and of what is not for now: its verb and its time may hold for every piece.
    """
    whole = [text] * len(cards)
    if begins_request(text, language) or read_tags(text, language).guards:
        return whole
    pieces = [piece for piece in language.joins.split(text.strip(" ,;.!")) if words_of(piece)]
    owners = [spoken_agents(language, cards, piece) for piece in pieces]
    if any(len(each) != 1 for each in owners) or len({each[0] for each in owners}) < len(cards):
        return whole
    own = {
        card.id: [p for p, each in zip(pieces, owners, strict=True) if each[0] == card.id]
        for card in cards
    }
    return [", ".join(own[card.id]) for card in cards]


def _is_no_request(text: str, language: Language) -> bool:
    """Return whether a text is only a time or a condition; "tell me if it is dark" is more."""
    reading = read_tags(text, language)
    is_request = begins_request(text, language) or reading.asks_to_be_told
    return not is_request and reading.is_deferred


def begins_request(text: str, language: Language) -> bool:
    """Return whether a text begins like a request of its own."""
    return not language.verbs or read_tags(text, language).begins_with_verb


def _begins_question(text: str, language: Language, before: str) -> bool:
    """Return whether a text begins like a question of its own; "tell me, what is on" is one with what is before."""
    is_asked = read_tags(text, language).is_asked
    return is_asked and not read_tags(before, language).asks_to_be_told


def asked_apart(text: str, language: Language) -> Sequence[str]:
    """Return the requests of a text in which only questions have a condition: "lock up and tell me if it is dark"."""
    found = split_requests(text, language, may_ask=True)
    is_asked = [read_tags(each, language).is_asked for each in found]
    conditions = [language.conditions.is_conditional(each, language.lexicon) for each in found]
    is_apart = all(asked or not has for asked, has in zip(is_asked, conditions, strict=True))
    return found if is_apart and any(conditions) and not all(is_asked) else ()
