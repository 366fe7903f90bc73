"""What of a command nobody knows: a room that is not there, or a thing that is not exposed."""

from ..nlu.tokens import Token, tokenise
from .base import AgentRequest


def unknown_words(request: AgentRequest) -> str:
    """Return the one run of words of a command that neither the language nor the home knows; "" for anything else."""
    language, catalog = request.language, request.catalog
    text = request.instruction
    if request.is_question or not language.begins_with_verb(text) or language.lexicon is None:
        return ""
    names = catalog.all_names.words
    runs: list[list[Token]] = [[]]
    for token in tokenise(text):
        is_known = token.word in names or token.word in language.plain_words
        is_known = is_known or token.number is not None
        if token.is_mark or is_known or language.lexicon.senses((token.word,)):
            runs.append([])
        else:
            runs[-1].append(token)
    said = [run for run in runs if run]
    return text[said[0][0].start : said[0][-1].end] if len(said) == 1 else ""
