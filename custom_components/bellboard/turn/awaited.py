"""Reader of what a planned command waits for, with the eyes of who gave it."""

from ..assistant import Assistant
from ..home.speaker import async_rights, speaker_area
from ..memory.delayed import DelayedCommand
from ..nlu.conditions import ConditionReader
from ..nlu.loader import Language, async_get_language


async def async_reader_for(
    assistant: Assistant, command: DelayedCommand
) -> tuple[ConditionReader, Language]:
    """Return what reads the condition of a command's trigger, and the language that it was said in."""
    hass = assistant.hass
    language = await async_get_language(hass, command.language)
    rights = await async_rights(hass, command.user_id)
    reader = ConditionReader(
        hass=hass,
        house=await assistant.reader.async_house(language),
        words=language.conditions,
        outdoors=language.outdoors,
        rain=language.ahead.rain,
        readable=rights.readable(await assistant.catalog.async_get()),
        area_id=speaker_area(hass, command.satellite_id, command.device_id),
        as_here=language.references.as_here,
    )
    return reader, language
