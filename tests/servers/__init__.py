"""Servers that stand in for model providers: real sockets, real protocols, scripted answers."""

from .faults import OK, Fault
from .ollama import ollama_app
from .openai import openai_app
from .running import RunningServer
from .scripted import Ask, Message, ScriptedModel
from .upstream import Upstream

__all__ = [
    "OK",
    "Ask",
    "Fault",
    "Message",
    "RunningServer",
    "ScriptedModel",
    "Upstream",
    "ollama_app",
    "openai_app",
]
