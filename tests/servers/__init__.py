"""Servers that stand in for model providers: real sockets, real protocols, scripted answers."""

from .anthropic import anthropic_app
from .faults import OK, Fault
from .kinds import KINDS, Kind
from .ollama import ollama_app
from .openai import kind_app, openai_app
from .running import RunningServer
from .scripted import Ask, Call, Calls, Message, ScriptedModel
from .upstream import Upstream

__all__ = [
    "KINDS",
    "OK",
    "Ask",
    "Call",
    "Calls",
    "Fault",
    "Kind",
    "Message",
    "RunningServer",
    "ScriptedModel",
    "Upstream",
    "anthropic_app",
    "kind_app",
    "ollama_app",
    "openai_app",
]
