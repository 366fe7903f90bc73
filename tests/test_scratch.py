import os, pytest
from tests.evaluation import setup_agent
from tests.conftest import Speaker
S=[["turn off the kitchen lights","play some jazz in the living room and make it 22 degrees in the bedroom"],
["it is way too dark in the kitchen"],["make the desk lamp blue"],["dim the living room to 30 percent and skip this song"],["set the floor lamp to half brightness"],["close the bedroom blinds"],["what is the capital of France"],["make the bedroom a bit cooler"],["turn on the fireplace effect on the floor lamp"],["switch the office air conditioner to dry mode"],["turn up the music"],["turn off the lamp","the floor one"],["play Blue Harbour on the bedroom speaker"],["order a pizza"]]
async def test_live(hass, house):
    a=await setup_agent(hass,{"provider":os.environ.get("P","openai"),"url":"http://127.0.0.1:8095","assistant":{}} if os.environ.get("P")!="none" else {})
    for conv in S:
        sp=Speaker(hass,a)
        for s in conv:
            r=await sp.say(s)
            tr=[t for e in hass.config_entries.async_entries("bellboard") for x in e.runtime_data.assistants.values() for t in x.traces][-1]
            print("##",s,"\n   ->",r.reply,"|",tr.state,tr.agents,"\n     ",tr.calls,list(r.changes), round(tr.ms),tr.model.as_json())
