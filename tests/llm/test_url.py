"""People type addresses in many ways, and every one of them leads to the server or is refused."""

from hypothesis import example, given, strategies as st
import pytest
from yarl import URL

from custom_components.bellboard.llm.errors import InvalidUrlError, ModelError
from custom_components.bellboard.llm.url import normalise_url, with_version, without_api


@pytest.mark.parametrize(
    ("typed", "openai", "ollama"),
    [
        ("localhost:11434", "http://localhost:11434/v1", "http://localhost:11434"),
        ("localhost", "http://localhost/v1", "http://localhost:11434"),
        ("  http://x:8081/ ", "http://x:8081/v1", "http://x:8081"),
        ("http://x:8081/v1", "http://x:8081/v1", "http://x:8081"),
        ("HTTP://X:8081/v1/", "http://x:8081/v1", "http://x:8081"),
        ("http://x", "http://x/v1", "http://x"),
        ("https://x/", "https://x/v1", "https://x"),
        ("192.168.1.5", "http://192.168.1.5/v1", "http://192.168.1.5:11434"),
        ("192.168.1.5:1234/v1/models", "http://192.168.1.5:1234/v1", "http://192.168.1.5:1234"),
        ("nas.local", "http://nas.local/v1", "http://nas.local:11434"),
        ("nas.fritz.box", "http://nas.fritz.box/v1", "http://nas.fritz.box:11434"),
        (
            "a0d7b954-ollama:11434",
            "http://a0d7b954-ollama:11434/v1",
            "http://a0d7b954-ollama:11434",
        ),
        ("[::1]:8080", "http://[::1]:8080/v1", "http://[::1]:8080"),
        ("http://[fe80::2]/api/chat", "http://[fe80::2]/api/chat/v1", "http://[fe80::2]"),
        (
            "https://bücher.example",
            "https://xn--bcher-kva.example/v1",
            "https://xn--bcher-kva.example",
        ),
        ("http://x:11434/api/tags", "http://x:11434/v1", "http://x:11434"),
        (
            "https://home.example/llm/api/",
            "https://home.example/llm/api/v1",
            "https://home.example/llm",
        ),
    ],
)
def test_leads_to_the_server(typed: str, openai: str, ollama: str) -> None:
    assert without_api(normalise_url(typed, default_port=11434)) == ollama
    if "/api/chat" not in typed:
        assert with_version(normalise_url(typed)) == openai


@pytest.mark.parametrize(
    ("typed", "base"),
    [
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/chat/completions", "https://api.openai.com/v1"),
        ("https://api.openai.com", "https://api.openai.com/v1"),
        # A key must not travel in the clear because somebody left out "https://".
        ("api.openai.com", "https://api.openai.com/v1"),
        ("api.openai.com/v1", "https://api.openai.com/v1"),
        ("http://api.example.com", "http://api.example.com/v1"),
        ("api.example.com:8080", "http://api.example.com:8080/v1"),
        ("https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"),
        ("https://openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1"),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
        ("http://proxy/llama", "http://proxy/llama/v1"),
    ],
)
def test_knows_where_the_protocol_lives(typed: str, base: str) -> None:
    assert with_version(normalise_url(typed)) == base


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "ftp://host",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "https:///v1",
        "http:/localhost:11434",
        "http//localhost",
        "//localhost",
        "http://user:pass@host",
        "sk-secret@host",
        "http://host:0",
        "http://host:99999",
        "http://host:port",
        "http://host/v1?key=secret",
        "http://host#here",
        "http://two words",
        "http://ho\nst",
        "http://host\\path",
        "http://a..b",
        "http://-a",
        "http://ex!ample",
        "http://[::1",
        "http://[nonsense]",
        "http://" + "a" * 300,
        "http://" + "ä" * 70,
    ],
)
def test_refuses_what_leads_nowhere(typed: str) -> None:
    with pytest.raises(InvalidUrlError) as refused:
        normalise_url(typed)
    assert isinstance(refused.value, ValueError)
    assert isinstance(refused.value, ModelError)
    assert "secret" not in str(refused.value)
    assert refused.value.__context__ is None


@given(st.text(max_size=40) | st.from_regex(r"\A(https?://)?[a-z0-9.:\[\]/@?#%-]{1,40}\Z"))
@example("http://[::1]:8080/v1")
def test_what_is_accepted_can_be_asked(typed: str) -> None:
    try:
        url = normalise_url(typed, default_port=11434)
    except InvalidUrlError:
        return
    asked = URL(url)
    assert asked.scheme in ("http", "https")
    assert asked.host
    assert asked.user is None
    assert not asked.query_string
    assert normalise_url(url, default_port=11434) == url
