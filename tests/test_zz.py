import pytest
from tests.test_code_paths import *
from tests.test_code_paths import _add_entrances
async def test_w(hass, begin):
    tries = await begin()
    names = await _add_entrances(hass)
    print(await tries.opens(tries.say("en", "run Walrus", CODE)))
    print(tries.made[-1] if tries.made else None)
    for e in ("run Walrus", CODE):
        r = await tries.speaker.say(e) if hasattr(tries,'speaker') else None
        print(r and r.reply)
