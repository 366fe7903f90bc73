"""Policies: rules of the house that allow, deny, clamp or confirm tool calls.

`engine` is the protocol that other rooms know, `file` loads the rules and puts them in force; the rest
is theirs: `rules` (schema), `matching`, `values`, `rule_engine` and `lookup`.
"""
