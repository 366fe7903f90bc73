"""The connection's forms: a person with a model server, or without one, sets Bellboard up."""

from aiohttp import web
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.bellboard import connection
from custom_components.bellboard.const import SUBENTRY_ASSISTANT
from custom_components.bellboard.llm import ModelError
from tests.conftest import Serve
from tests.forms import (
    ENGLISH,
    aborted,
    agents,
    move,
    open_form,
    options,
    set_up,
    shown,
    submit,
    suggested,
)
from tests.servers import Fault, ScriptedModel, ollama_app

KEY = "sk-the-key-of-the-forms"

pytestmark = pytest.mark.usefixtures("assist")


@pytest.mark.parametrize(
    ("provider", "title", "names", "kept"),
    [
        ("ollama", "Ollama", ["qwen3:4b", "smollm2"], "qwen3:4b"),
        ("openai", "OpenAI-compatible", ["large", "small"], "large"),
    ],
)
async def test_a_model_is_found_and_an_assistant_is_there(
    hass: HomeAssistant, serve: Serve, *, provider: str, title: str, names: list[str], kept: str
) -> None:
    server = await serve(provider, names=names)
    form = shown(await open_form(hass, provider), "connection")
    assert suggested(form)["url"].startswith("http://localhost:")
    form = shown(await submit(hass, form, url=server.url), "model")
    assert set(options(form, "model")) == {
        name if ":" in name or provider == "openai" else f"{name}:latest" for name in names
    }
    result = await submit(hass, form, model=kept)

    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = result["result"]
    assert entry.title == title
    assert entry.data == {
        "provider": provider,
        "url": server.url if provider == "ollama" else f"{server.url}/v1",
    }
    (assistant,) = entry.subentries.values()
    assert (assistant.subentry_type, assistant.title) == (SUBENTRY_ASSISTANT, "Bellboard")
    assert assistant.data == {"model": kept}
    assert (entry.version, entry.minor_version) == (1, 2)
    assert agents(hass, entry) == {"conversation.bellboard": "Bellboard"}


async def test_without_a_model_one_choice_is_all(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    assert entry.title == "Without a model"
    assert entry.data == {"provider": "none"}
    (assistant,) = entry.subentries.values()
    assert assistant.data == {}
    assert agents(hass, entry) == {"conversation.bellboard": "Bellboard"}


async def test_a_key_is_kept(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve(key=KEY)
    entry = await set_up(hass, "openai", url=server.url, api_key=KEY)
    assert entry.data["api_key"] == KEY


@pytest.mark.parametrize("provider", ["ollama", "openai"])
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault("stopped"), "unreachable"),
        (Fault("reset"), "unreachable"),
        (Fault("html"), "not_a_model_server"),
        (Fault("huge"), "not_a_model_server"),
        (Fault.slow(0.15), "timeout"),
        (Fault.of_status(401), "authentication"),
        (Fault.of_status(418), "request_rejected"),
        (Fault.of_status(429), "rate_limited"),
        (Fault.of_status(500), "server_failed"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.mode,
)
async def test_a_server_in_trouble_is_named_and_can_be_tried_again(
    hass: HomeAssistant,
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
    *,
    provider: str,
    fault: Fault,
    error: str,
) -> None:
    server = await serve(provider)
    await server.suffer(fault)
    if error == "timeout":
        monkeypatch.setattr(connection, "LIST_TIMEOUT", 0.05)
    form = shown(await open_form(hass, provider), "connection")
    form = shown(await submit(hass, form, url=server.url), "connection", errors={"base": error})
    assert suggested(form)["url"] == server.url, "what was typed is not lost"

    await server.suffer(Fault())
    form = shown(await submit(hass, form, url=server.url), "model")
    result = await submit(hass, form, model=options(form, "model")[0])
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize("provider", ["ollama", "openai"])
@pytest.mark.parametrize("key", [None, "sk-wrong", "schlüssel"])
async def test_a_missing_or_wrong_key_is_named(
    hass: HomeAssistant, serve: Serve, provider: str, key: str | None
) -> None:
    server = await serve(provider, key=KEY)
    form = await open_form(hass, provider)
    answers = {"url": server.url} | ({"api_key": key} if key else {})
    form = shown(
        await submit(hass, form, **answers), "connection", errors={"base": "authentication"}
    )
    shown(await submit(hass, form, url=server.url, api_key=KEY), "model")


@pytest.mark.parametrize("provider", ["ollama", "openai"])
async def test_a_server_without_models_is_named(
    hass: HomeAssistant, serve: Serve, provider: str
) -> None:
    server = await serve(provider, names=[])
    form = await open_form(hass, provider)
    form = shown(
        await submit(hass, form, url=server.url), "connection", errors={"base": "no_models"}
    )
    server.model.names = ["loaded"]
    shown(await submit(hass, form, url=server.url), "model")


@pytest.mark.parametrize(("asked", "runs"), [("ollama", "openai"), ("openai", "ollama")])
async def test_a_server_of_the_other_kind_is_named(
    hass: HomeAssistant, serve: Serve, asked: str, runs: str
) -> None:
    server = await serve(runs)
    form = await open_form(hass, asked)
    shown(
        await submit(hass, form, url=server.url),
        "connection",
        errors={"base": "not_a_model_server"},
    )


@pytest.mark.parametrize(
    "url",
    ["", "a house", "ftp://127.0.0.1", "http://me:secret@127.0.0.1", "http://", "http://a?b=c"],
)
async def test_what_is_no_address_is_named(hass: HomeAssistant, url: str) -> None:
    form = await open_form(hass, "ollama")
    shown(await submit(hass, form, url=url), "connection", errors={"base": "invalid_url"})


def test_every_way_to_fail_has_its_words() -> None:
    kinds = {"no_models", ModelError.kind}
    kinds |= {error.kind for error in ModelError.__subclasses__()}
    assert ENGLISH["config"]["error"].keys() == kinds
    # An assistant's options can be wrong as well.
    kinds |= {"invalid_template", "invalid_value", "rule_names_nobody"}
    assert ENGLISH["config_subentries"][SUBENTRY_ASSISTANT]["error"].keys() == kinds


@pytest.mark.parametrize(
    ("provider", "endings"),
    [
        ("ollama", ["", "/", "/api", "/api/tags", "/v1/chat/completions"]),
        ("openai", ["", "/", "/v1", "/v1/models", "/v1/chat/completions"]),
    ],
)
async def test_the_same_server_is_not_set_up_twice(
    hass: HomeAssistant, serve: Serve, provider: str, endings: list[str]
) -> None:
    server = await serve(provider)
    await set_up(hass, provider, url=server.url)
    for ending in endings:
        form = await open_form(hass, provider)
        aborted(await submit(hass, form, url=server.url + ending), "already_configured")
        form = await open_form(hass, provider)
        bare = server.url.removeprefix("http://") + ending
        aborted(await submit(hass, form, url=bare), "already_configured")


async def test_no_model_is_not_set_up_twice(hass: HomeAssistant) -> None:
    await set_up(hass, "none")
    aborted(await open_form(hass, "none"), "already_configured")


async def test_two_servers_of_a_kind_can_be_set_up(hass: HomeAssistant, serve: Serve) -> None:
    one = await set_up(hass, "openai", url=(await serve()).url)
    other = await set_up(hass, "openai", url=(await serve()).url)
    assert one.data["url"] != other.data["url"]
    assert len({**agents(hass, one), **agents(hass, other)}) == 2


async def test_an_address_without_a_port_is_kept_with_the_one_that_was_tried(
    hass: HomeAssistant,
) -> None:
    """Ollama's port is added where none is typed; kept without it, port 80 would be asked later."""
    application = ollama_app(ScriptedModel(lambda *_: "Hello."))
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, "127.0.0.1", 11434).start()
        except OSError:
            pytest.skip("port 11434 is taken on this machine")
        entry = await set_up(hass, "ollama", url="127.0.0.1")
    finally:
        await runner.cleanup()
    assert entry.data["url"] == "http://127.0.0.1:11434"


async def test_a_refused_key_at_the_start_asks_for_a_new_one(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(key=KEY)
    entry = await set_up(hass, "openai", url=server.url, api_key=KEY)
    assert not hass.config_entries.flow.async_progress()

    server.model.key = "sk-another"
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.state is ConfigEntryState.LOADED, "what needs no model still works"
    (flow,) = hass.config_entries.flow.async_progress()
    assert flow["context"]["source"] == "reauth"

    form = shown(await hass.config_entries.flow.async_configure(flow["flow_id"]), "reauth_confirm")
    form = shown(
        await submit(hass, form, api_key="sk-wrong"),
        "reauth_confirm",
        errors={"base": "authentication"},
    )
    aborted(await submit(hass, form, api_key="sk-another"), "reauth_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.data == {"provider": "openai", "url": f"{server.url}/v1", "api_key": "sk-another"}
    assert not hass.config_entries.flow.async_progress()


async def test_a_new_key_is_not_kept_while_the_server_cannot_be_asked(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(key=KEY)
    entry = await set_up(hass, "openai", url=server.url, api_key=KEY)
    entry.async_start_reauth(hass)
    await hass.async_block_till_done()
    (flow,) = hass.config_entries.flow.async_progress()
    await server.stop()
    form = shown(await hass.config_entries.flow.async_configure(flow["flow_id"]), "reauth_confirm")
    shown(
        await submit(hass, form, api_key="sk-new"), "reauth_confirm", errors={"base": "unreachable"}
    )
    assert entry.data["api_key"] == KEY


async def test_a_connection_moves(hass: HomeAssistant, serve: Serve) -> None:
    old, new = await serve(key=KEY), await serve()
    entry = await set_up(hass, "openai", url=old.url, api_key=KEY)
    form = shown(await move(hass, entry), "reconfigure")
    assert suggested(form) == {"url": f"{old.url}/v1", "api_key": KEY}

    await new.stop()
    form = shown(
        await submit(hass, form, url=new.url), "reconfigure", errors={"base": "unreachable"}
    )
    assert entry.data["url"] == f"{old.url}/v1"
    await new.start()
    aborted(await submit(hass, form, url=new.url), "reconfigure_successful")
    assert entry.data == {"provider": "openai", "url": f"{new.url}/v1"}, "an emptied key is gone"
    assert entry.state is ConfigEntryState.LOADED
    (assistant,) = entry.runtime_data.assistants.values()
    assert [model.id for model in await assistant.model.list_models()] == ["test-model"], (
        "the assistants ask the new address"
    )


async def test_a_connection_does_not_move_to_where_another_is(
    hass: HomeAssistant, serve: Serve
) -> None:
    one, other = await serve(), await serve()
    entry = await set_up(hass, "openai", url=one.url)
    await set_up(hass, "openai", url=other.url)
    form = shown(await move(hass, entry), "reconfigure")
    aborted(await submit(hass, form, url=other.url), "already_configured")
    form = shown(await move(hass, entry), "reconfigure")
    aborted(await submit(hass, form, url=one.url), "reconfigure_successful")


async def test_without_a_model_there_is_no_connection_to_change(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    aborted(await move(hass, entry), "nothing_to_change")
