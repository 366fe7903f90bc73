"""The schemas of the capable contract bind a model at every provider, and its own client agrees."""

import json
from typing import TYPE_CHECKING, Any

import anthropic
import jsonschema
import ollama
import openai
import pytest

from tests.capable_schemas import ANSWERS, SCHEMAS
from tests.servers import RunningServer, ScriptedModel, anthropic_app, ollama_app, openai_app

from .conftest import QUESTION

if TYPE_CHECKING:
    from .conftest import Build

MESSAGES: Any = [{"role": message.role, "content": message.content} for message in QUESTION]
SAID: Any = MESSAGES[1:]


@pytest.mark.parametrize("name", SCHEMAS)
async def test_every_client_sends_them_and_reads_what_comes_back(
    build: Build, provider: str, name: str
) -> None:
    house = await build(provider, ANSWERS[name])
    completion = await house.client.complete(QUESTION, schema=SCHEMAS[name], schema_name=name)
    assert completion.data == ANSWERS[name]
    assert house.model.requests[0].schema == SCHEMAS[name]


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_expected_obeys_them(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    jsonschema.Draft202012Validator(SCHEMAS[name]).validate(ANSWERS[name])


def objects(schema: Any) -> list[dict[str, Any]]:
    """Return all objects in a schema."""
    if isinstance(schema, list):
        return [found for each in schema for found in objects(each)]
    if not isinstance(schema, dict):
        return []
    inner = [found for each in schema.values() for found in objects(each)]
    return [schema, *inner] if schema.get("type") == "object" else inner


@pytest.mark.parametrize("name", SCHEMAS)
def test_they_are_strict(name: str) -> None:
    """OpenAI's strict mode wants every property, and no other one."""
    for each in objects(SCHEMAS[name]):
        assert each["required"] == list(each["properties"])
        assert each["additionalProperties"] is False


def says(name: str) -> ScriptedModel:
    """Return a model that answers as a schema wants."""
    return ScriptedModel(lambda *_: json.dumps(ANSWERS[name]))


@pytest.mark.parametrize("name", SCHEMAS)
async def test_openais_own_client_is_answered_by_them(name: str) -> None:
    shape: Any = {
        "type": "json_schema",
        "json_schema": {"name": name, "strict": True, "schema": SCHEMAS[name]},
    }
    async with RunningServer(openai_app, says(name)) as server:
        client = openai.AsyncOpenAI(base_url=f"{server.url}/v1", api_key="any")
        reply = await client.chat.completions.create(
            model="test-model", messages=MESSAGES, response_format=shape
        )
        await client.close()
    assert json.loads(reply.choices[0].message.content or "") == ANSWERS[name]
    assert server.model.requests[0].schema == SCHEMAS[name]


@pytest.mark.parametrize("name", SCHEMAS)
async def test_ollamas_own_client_is_answered_by_them(name: str) -> None:
    async with RunningServer(ollama_app, says(name)) as server:
        client = ollama.AsyncClient(server.url)
        reply = await client.chat("test-model", MESSAGES, format=SCHEMAS[name], think=False)
    assert json.loads(reply.message.content or "") == ANSWERS[name]
    assert server.model.requests[0].schema == SCHEMAS[name]


@pytest.mark.parametrize("name", SCHEMAS)
async def test_anthropics_own_client_is_answered_by_them(name: str) -> None:
    tool: Any = {"name": name, "description": "Answer.", "input_schema": SCHEMAS[name]}
    async with RunningServer(anthropic_app, says(name)) as server:
        client = anthropic.AsyncAnthropic(base_url=server.url.removesuffix("/v1"), api_key="any")
        reply = await client.messages.create(
            model="test-model",
            max_tokens=400,
            messages=SAID,
            tools=[tool],
            tool_choice={"type": "tool", "name": name},
        )
        await client.close()
    (used,) = reply.content
    assert used.type == "tool_use"
    assert used.input == ANSWERS[name]
    assert server.model.requests[0].schema == SCHEMAS[name]
