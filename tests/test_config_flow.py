"""The connection's forms: a person with a model server, or without one, sets Bellboard up."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from aiohttp.typedefs import Handler
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
import pytest

from custom_components.bellboard.connections import connection
from custom_components.bellboard.const import DOMAIN, SUBENTRY_ASSISTANT
from custom_components.bellboard.flows.connection_form import same_connection
from custom_components.bellboard.flows.selectors import short_name
from custom_components.bellboard.llm.errors import ModelError
from custom_components.bellboard.llm.models import Message
from custom_components.bellboard.llm.providers import PROVIDERS
from tests.conftest import Serve
from tests.forms import (
    ENGLISH,
    Form,
    aborted,
    agents,
    move,
    open_change,
    open_form,
    options,
    set_up,
    shown,
    submit,
    suggested,
)
from tests.llm.conftest import APPS, PROTOCOLS
from tests.servers import Fault, RunningServer, ScriptedModel, ollama_app, openai_app

KEY = "sk-the-key-of-the-forms"
LOCAL = [name for name, provider in PROVIDERS.items() if provider.asks_for_url]
REMOTE = [name for name, provider in PROVIDERS.items() if not provider.asks_for_url]

pytestmark = pytest.mark.usefixtures("assist")

EVERY_PROVIDER = pytest.mark.parametrize("provider", PROVIDERS)
EVERY_PROTOCOL = pytest.mark.parametrize("provider", PROTOCOLS)


@pytest.fixture
async def serve(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Serve]:
    """Return a function that starts a model server of a provider, which takes a scripted model's fields.

    A provider that is at one address for everybody is there then.
    """
    async with AsyncExitStack() as stack:

        async def start(provider: str = "openai", **model: Any) -> RunningServer[ScriptedModel]:
            scripted = ScriptedModel(**{"answer": lambda *_: "Hello.", **model})
            server = await stack.enter_async_context(RunningServer(APPS[provider], scripted))
            if provider in REMOTE:
                here = replace(PROVIDERS[provider], default_url=server.url)
                monkeypatch.setitem(PROVIDERS, provider, here)
            return server

        yield start


def typed(
    provider: str, server: RunningServer[ScriptedModel], key: str | None = KEY
) -> dict[str, Any]:
    """Return what a person types into a provider's form."""
    address = {"url": server.url} if provider in LOCAL else {}
    return address | ({"api_key": key} if key else {})


def first_step(provider: str) -> str:
    """Return the name of the form that asks where a provider is."""
    return "connection" if provider in LOCAL else "key"


async def typed_form(
    hass: HomeAssistant, provider: str, server: RunningServer[ScriptedModel], key: str | None = KEY
) -> Form:
    """Fill a provider's first form in and return what is shown then."""
    form = shown(await open_form(hass, provider), first_step(provider))
    return dict(await submit(hass, form, **typed(provider, server, key)))


async def talk(entry: ConfigEntry) -> str:
    """Return what the first assistant's model says."""
    assistant = next(iter(entry.runtime_data.assistants.values()))
    completion = await assistant.model.complete([Message(role="user", content="hello")])
    return str(completion.text)


@EVERY_PROVIDER
async def test_a_model_is_found_and_an_assistant_is_there(
    hass: HomeAssistant, serve: Serve, provider: str
) -> None:
    server = await serve(provider, names=["large:4b", "small:4b"], key=KEY)
    form = shown(await open_form(hass, provider), first_step(provider))
    assert [str(field) for field in form["data_schema"].schema] == (
        ["url", "api_key"] if provider in LOCAL else ["api_key"]
    )
    if provider in LOCAL:
        assert suggested(form)["url"].startswith("http://localhost:")
    form = shown(await submit(hass, form, **typed(provider, server)), "model")
    assert set(options(form, "model")) == {"large:4b", "small:4b"}
    result = await submit(hass, form, model="small:4b")

    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = result["result"]
    url = PROVIDERS[provider].base_url(server.url)
    where = f" ({server.url.removeprefix('http://')})" if provider in LOCAL else ""
    assert entry.title == f"{PROVIDERS[provider].title}{where}"
    assert entry.data == {"provider": provider, "url": url, "api_key": KEY}
    (assistant,) = entry.subentries.values()
    name = "Bellboard small:4b"
    assert (assistant.subentry_type, assistant.title) == (SUBENTRY_ASSISTANT, name)
    assert assistant.data == {"model": "small:4b"}
    assert (entry.version, entry.minor_version) == (1, 3)
    assert agents(hass, entry) == {"conversation.bellboard_small_4b": name}
    assert await talk(entry) == "Hello."


async def test_every_provider_is_offered_by_a_name(hass: HomeAssistant, serve: Serve) -> None:
    """A product's is the same in every language; what is described instead is translated."""
    await set_up(hass, "openai", url=(await serve()).url)
    form = shown(
        await hass.config_entries.flow.async_init(DOMAIN, context={"source": "user"}), "user"
    )
    offered = form["data_schema"].schema["provider"].config["options"]
    translated = ENGLISH["selector"]["provider"]["options"]
    named = {choice["value"]: choice["label"] for choice in offered} | translated
    assert named.keys() == {*PROVIDERS, "ai_task", "connection", "none"}
    assert translated.keys() <= named.keys()
    for name in PROVIDERS.keys() - translated.keys():
        assert named[name] == PROVIDERS[name].title


async def test_without_a_model_one_choice_is_all(hass: HomeAssistant) -> None:
    entry = await set_up(hass, "none")
    assert entry.title == "Without a model"
    assert entry.data == {"provider": "none"}
    (assistant,) = entry.subentries.values()
    assert assistant.data == {}
    assert agents(hass, entry) == {"conversation.bellboard": "Bellboard"}


@pytest.mark.parametrize("provider", LOCAL)
async def test_a_server_in_the_house_needs_no_key(
    hass: HomeAssistant, serve: Serve, provider: str
) -> None:
    server = await serve(provider)
    entry = await set_up(hass, provider, url=server.url)
    assert entry.data.keys() == {"provider", "url"}
    assert await talk(entry) == "Hello."


@pytest.mark.parametrize("provider", REMOTE)
async def test_a_server_for_everybody_is_at_one_address_and_wants_a_key(provider: str) -> None:
    """Its address has been right so far: nobody has to type it."""
    found = PROVIDERS[provider]
    assert found.needs_key
    assert found.base_url(found.default_url).startswith("https://")


async def test_a_key_is_kept(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve(key=KEY)
    entry = await set_up(hass, "openai", url=server.url, api_key=f" {KEY}\n")
    assert entry.data["api_key"] == KEY, "without the white space around it"


@EVERY_PROTOCOL
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
    form = shown(
        await typed_form(hass, provider, server), first_step(provider), errors={"base": error}
    )
    assert suggested(form) == typed(provider, server), "what was typed is not lost"

    await server.suffer(Fault())
    result = await submit(hass, form, **typed(provider, server))
    assert result["type"] is FlowResultType.CREATE_ENTRY, "of one model it need not be asked which"


@EVERY_PROVIDER
@pytest.mark.parametrize("key", [None, "sk-wrong", "schlüssel"])
async def test_a_missing_or_wrong_key_is_named(
    hass: HomeAssistant, serve: Serve, provider: str, key: str | None
) -> None:
    server = await serve(provider, key=KEY)
    if key is None and PROVIDERS[provider].needs_key:
        form = await open_form(hass, provider)
        with pytest.raises(InvalidData):
            await submit(hass, form)
        return
    form = shown(
        await typed_form(hass, provider, server, key),
        first_step(provider),
        errors={"base": "authentication"} if key else {"api_key": "key_missing"},
    )
    result = await submit(hass, form, **typed(provider, server))
    assert result["type"] is FlowResultType.CREATE_ENTRY


@EVERY_PROTOCOL
async def test_a_server_without_models_is_named(
    hass: HomeAssistant, serve: Serve, provider: str
) -> None:
    server = await serve(provider, names=[])
    form = shown(
        await typed_form(hass, provider, server),
        first_step(provider),
        errors={"base": "no_models"},
    )
    server.model.names = ["loaded", "other"]
    shown(await submit(hass, form, **typed(provider, server)), "model")


def without_list(status: int) -> Callable[[ScriptedModel], web.Application]:
    """Return an app that chats by the OpenAI protocol, and answers `status` where models are listed."""

    def make(model: ScriptedModel) -> web.Application:
        @web.middleware
        async def hide(request: web.Request, handler: Handler) -> web.StreamResponse:
            if request.path.endswith("/models"):
                return web.json_response({"detail": "no"}, status=status)
            return await handler(request)

        app = openai_app(model)
        app.middlewares.append(hide)
        return app

    return make


@pytest.mark.parametrize("status", [404, 405, 501])
@pytest.mark.parametrize("names", [["tiny:1b"], ["", "tiny:1b"]], ids=["strict", "any"])
async def test_a_server_without_a_list_has_its_model_named(
    hass: HomeAssistant, status: int, names: list[str]
) -> None:
    """Whether the server wants a model's name, or answers without one, too."""
    model = ScriptedModel(lambda *_: "Hello.", names=names, key=KEY)
    async with RunningServer(without_list(status), model) as server:
        form = await typed_form(hass, "openai", server, None)
        form = shown(form, "connection", errors={"api_key": "key_missing"})
        form = shown(await submit(hass, form, **typed("openai", server)), "model_name")
        for wrong in ("other:1b", " "):
            form = shown(
                await submit(hass, form, model=wrong),
                "model_name",
                errors={"base": "model_missing"},
            )
            assert suggested(form) == {"model": wrong}, "what was typed is not lost"
        await server.suffer(Fault("stopped"))
        form = shown(
            await submit(hass, form, model="tiny:1b"), "model_name", errors={"base": "unreachable"}
        )
        await server.suffer(Fault())
        result = await submit(hass, form, model=" tiny:1b ")
        assert result["type"] is FlowResultType.CREATE_ENTRY
        entry = result["result"]
        (assistant,) = entry.subentries.values()
        assert (assistant.title, assistant.data["model"]) == ("Bellboard tiny:1b", "tiny:1b")
        assert await talk(entry) == "Hello."
        form = shown(await move(hass, entry), "connection")
        aborted(await submit(hass, form, **typed("openai", server)), "reconfigure_successful")


async def test_a_server_with_neither_list_nor_chat_is_named(hass: HomeAssistant) -> None:
    app = web.Application()
    async with TestServer(app) as server:
        form = shown(await open_form(hass, "openai"), "connection")
        result = await submit(hass, form, url=str(server.make_url("/")))
        shown(result, "connection", errors={"base": "not_a_model_server"})


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


def every_subclass(kind: type[ModelError]) -> Iterator[type[ModelError]]:
    """Yield the classes of errors that are derived from one, and those derived from them."""
    for each in kind.__subclasses__():
        yield each
        yield from every_subclass(each)


def test_every_way_to_fail_has_its_words() -> None:
    kinds = {"no_models", ModelError.kind}
    kinds |= {error.kind for error in every_subclass(ModelError)}
    # What is no server cannot be there either.
    assert ENGLISH["config"]["error"].keys() == kinds | {
        "connection_unavailable",
        "entity_unavailable",
        "invalid_duration",
        "key_missing",
    }
    assert ENGLISH["config"]["error"]["authentication"] != ENGLISH["config"]["error"]["key_missing"]
    # An assistant's options can be wrong as well.
    kinds |= {"invalid_template", "invalid_value", "invalid_elsewhere", "rule_names_nobody"}
    kinds |= {"name_taken", "no_address", "gatekeeper_missing", "unknown_agent"}
    kinds |= {"parts_out_of_order"}
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
    begun = await hass.config_entries.flow.async_init(DOMAIN, context={"source": "user"})
    assert shown(begun, "another")["description_placeholders"] == {"title": "Without a model"}
    result = await open_form(hass, "none")
    aborted(result, "already_configured")
    assert result["description_placeholders"] == {"title": "Without a model"}


async def test_the_same_server_is_not_set_up_as_another_kind(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve()
    entry = await set_up(hass, "openai", url=server.url)
    result = await submit(hass, await open_form(hass, "llamacpp"), url=server.url)
    aborted(result, "already_configured")
    assert result["description_placeholders"] == {"title": entry.title}
    near = entry.data["url"].replace("127.0.0.1", "localhost")
    assert same_connection(hass, {"provider": "ollama", "url": near}, None) is entry
    assert same_connection(hass, {"provider": "openai", "url": near}, entry) is None


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


@EVERY_PROVIDER
async def test_a_refused_key_at_the_start_asks_for_a_new_one(
    hass: HomeAssistant, serve: Serve, provider: str
) -> None:
    server = await serve(provider, key=KEY)
    entry = await set_up(hass, provider, **typed(provider, server))
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
    aborted(await submit(hass, form, api_key="sk-another\n"), "reauth_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.data == {
        "provider": provider,
        "url": PROVIDERS[provider].base_url(server.url),
        "api_key": "sk-another",
    }
    assert not hass.config_entries.flow.async_progress()
    assert await talk(entry) == "Hello."


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


@EVERY_PROVIDER
async def test_a_connection_moves(hass: HomeAssistant, serve: Serve, provider: str) -> None:
    new = await serve(provider, answer=lambda *_: "Moved.")
    old = await serve(provider, key=KEY)
    entry = await set_up(hass, provider, **typed(provider, old))
    before = entry.data["url"]
    form = shown(await move(hass, entry), "connection")
    assert suggested(form) == {"url": before, "api_key": KEY}

    await new.stop()
    answers: dict[str, Any] = {"url": new.url}
    if PROVIDERS[provider].needs_key:
        answers["api_key"] = "sk-another"
    form = shown(await submit(hass, form, **answers), "connection", errors={"base": "unreachable"})
    assert entry.data["url"] == before
    await new.start()
    aborted(await submit(hass, form, **answers), "reconfigure_successful")
    moved = answers | {"url": PROVIDERS[provider].base_url(new.url)}
    details = {"keep_alive": "-1", "num_ctx": 4096} if provider == "ollama" else {}
    assert entry.data == {"provider": provider, **moved, **details}, "an emptied key is gone"
    assert entry.state is ConfigEntryState.LOADED
    assert await talk(entry) == "Moved.", "the assistants ask the new address"


async def test_connections_are_called_by_where_they_are(hass: HomeAssistant, serve: Serve) -> None:
    servers = [await serve() for _ in range(3)]
    one, other, third = [await set_up(hass, "openai", url=server.url) for server in servers]
    here = servers[2].url.removeprefix("http://")
    assert one.title == f"OpenAI-compatible ({servers[0].url.removeprefix('http://')})"
    assert other.title.startswith("OpenAI-compatible (127.0.0.1:")
    assert third.title == f"OpenAI-compatible ({here})"

    elsewhere = await serve()
    form = shown(await move(hass, third), "connection")
    aborted(await submit(hass, form, url=elsewhere.url), "reconfigure_successful")
    place = elsewhere.url.removeprefix("http://")
    assert third.title == f"OpenAI-compatible ({place})"

    hass.config_entries.async_update_entry(one, title=f"OpenAI-compatible ({here})")
    hass.config_entries.async_update_entry(other, title="Upstairs")
    form = shown(await move(hass, other), "connection")
    aborted(await submit(hass, form, url=(await serve()).url), "reconfigure_successful")
    assert other.title == "Upstairs", "what its user calls it"
    form = shown(await move(hass, third), "connection")
    aborted(await submit(hass, form, url=servers[2].url), "reconfigure_successful")
    assert third.title == f"OpenAI-compatible ({here}) 2", "the first one is called so"
    again = await set_up(hass, "openai", url=elsewhere.url)
    assert again.title == f"OpenAI-compatible ({place})"

    last = await serve()
    name = f"OpenAI-compatible ({last.url.removeprefix('http://')})"
    hass.config_entries.async_update_entry(again, title=name)
    assert (await set_up(hass, "openai", url=last.url)).title == f"{name} 2"


async def test_a_connection_does_not_move_to_where_another_is(
    hass: HomeAssistant, serve: Serve
) -> None:
    one, other = await serve(), await serve()
    entry = await set_up(hass, "openai", url=one.url)
    await set_up(hass, "openai", url=other.url)
    form = shown(await move(hass, entry), "connection")
    aborted(await submit(hass, form, url=other.url), "already_configured")
    form = shown(await move(hass, entry), "connection")
    aborted(await submit(hass, form, url=one.url), "reconfigure_successful")


async def test_a_connection_without_a_model_is_given_one_and_keeps_its_assistants(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "none")
    (before,) = entry.subentries.values()
    server = await serve("openai")
    form = shown(await open_change(hass, entry), "user")
    assert "none" not in options(form, "provider")
    form = shown(await submit(hass, form, provider="openai"), "connection")
    aborted(await submit(hass, form, url=server.url), "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    (after,) = entry.subentries.values()
    assert (after.subentry_id, after.title) == (before.subentry_id, before.title)
    assert after.data == {"model": "test-model"}
    assert entry.data["provider"] == "openai"
    assert agents(hass, entry) == {"conversation.bellboard": "Bellboard"}
    assert await talk(entry) == "Hello."


async def test_a_connection_is_given_a_model_of_another_kind_or_none(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "openai", url=(await serve(names=("small", "large"))).url)
    (before,) = entry.subentries.values()
    ollama = await serve("ollama", answer=lambda *_: "Moved.")
    form = shown(await open_change(hass, entry), "user")
    assert {"none", "connection"} & set(options(form, "provider")) == {"none"}
    form = shown(await submit(hass, form, provider="ollama"), "connection")
    assert suggested(form) == {"url": PROVIDERS["ollama"].default_url}, "nothing of the old one"
    aborted(await submit(hass, form, url=ollama.url), "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.data == {"provider": "ollama", "url": ollama.url}
    assert entry.title.startswith("Ollama (")
    assert await talk(entry) == "Moved."

    form = shown(await open_change(hass, entry), "user")
    aborted(await submit(hass, form, provider="none"), "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    (after,) = entry.subentries.values()
    assert (after.subentry_id, after.title) == (before.subentry_id, before.title)
    assert (dict(entry.data), entry.title) == ({"provider": "none"}, "Without a model")
    assert entry.state is ConfigEntryState.LOADED
    (assistant,) = entry.runtime_data.assistants.values()
    assert assistant.model is None

    other = await set_up(hass, "openai", url=(await serve()).url)
    form = shown(await open_change(hass, other), "user")
    aborted(await submit(hass, form, provider="none"), "already_configured")


async def test_ollama_keeps_its_model_loaded_unless_it_is_told_otherwise(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve("ollama")
    entry = await set_up(hass, "ollama", url=server.url)
    await talk(entry)
    assert server.model.requests[-1].body["keep_alive"] == -1
    form = shown(await move(hass, entry), "connection")
    typed_in = {"url": server.url, "keep_alive": "soon", "num_ctx": 8192}
    wrong = {"keep_alive": "invalid_duration"}
    form = shown(await submit(hass, form, **typed_in), "connection", errors=wrong)
    aborted(await submit(hass, form, **{**typed_in, "keep_alive": "10m"}), "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    await talk(entry)
    sent = server.model.requests[-1].body
    assert sent["keep_alive"] == "10m"
    assert sent["options"]["num_ctx"] == 8192


@pytest.mark.parametrize(
    ("model", "shown_as"),
    [
        ("/root/models/SmolLM2-135M-Instruct.gguf", "SmolLM2-135M-Instruct"),
        ("C:\\models\\qwen.gguf", "qwen"),
        ("meta-llama/Llama-3.2-3B", "meta-llama/Llama-3.2-3B"),
        ("llama3.2:3b", "llama3.2:3b"),
    ],
)
def test_a_model_is_shown_by_its_name_and_not_by_its_file(model: str, shown_as: str) -> None:
    assert short_name(model) == shown_as
