"""A plan for several things without some of them, or for some alone: "leave the lamp on", "only the radio"."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..memory.delayed import DelayedCommand, DelayedPart
from ..nlu.narrowing import NarrowingClause, narrowing_clauses
from .context import TurnContext
from .named_plans import are_contrary, own_plans, read_things, ways_of
from .planned_parts import targets_of


def narrowed_plan(context: TurnContext) -> tuple[DelayedCommand, tuple[DelayedPart, ...]] | None:
    """Return the plan spoken of, with what a sentence leaves of it; None where it says anything else."""
    spoken = own_plans(context).spoken
    if len(spoken) != 1 or spoken[0].is_repeated or spoken[0].before:
        return None
    if context.reading.is_question:
        return None
    left = narrowed_parts(context, spoken[0].parts)
    return None if left is None else (spoken[0], left)


def narrowed_parts(
    context: TurnContext, parts: Sequence[DelayedPart]
) -> tuple[DelayedPart, ...] | None:
    """Return what a sentence leaves of the parts of a plan, () for nothing; None where it says anything else."""
    targets = targets_of(parts)
    for clauses in narrowing_clauses(context.text, context.house) if targets else ():
        left = [_left(context, parts, clause) for clause in clauses]
        if all(each is not None for each in left):
            kept = targets.intersection(*(each for each in left if each is not None))
            if not kept and len(clauses) > 1:
                # What contradicts itself takes nothing back.
                return None
            return tuple(each for part in parts if (each := only_for(part, kept)))
    return None


def _left(
    context: TurnContext, parts: Sequence[DelayedPart], clause: NarrowingClause
) -> frozenset[str] | None:
    """Return what of some parts a clause leaves; None where that is not plain, or it names nothing of them."""
    targets = targets_of(parts)
    things = read_things(context, targets, clause.things)
    done = {part.action.name for part in parts if things.intersection(part.action.targets)}
    planned, said = ways_of(done), ways_of(clause.acts)
    is_contrary = are_contrary(said, planned)
    is_same = not said or bool(said & planned)
    if not things or (clause.is_kept and clause.is_denied):
        return None
    if clause.is_kept and (is_contrary or not (clause.acts or clause.is_only)):
        # "The lamp stays on", "leave the lamp"
        return frozenset(targets - things)
    if clause.is_denied and is_same and not clause.is_only:
        return frozenset(targets - things)
    # "Leave only the lamp" is no plan to put it out.
    is_plain = is_same and not (clause.is_kept and "off" in planned)
    is_meant = clause.is_only and is_plain and not clause.is_denied and things != targets
    return things if is_meant else None


def only_for(part: DelayedPart, left: Collection[str]) -> DelayedPart | None:
    """Return a part of a plan for some of what it is for, None for none of that."""
    targets = tuple(target for target in part.action.targets if target in left)
    if not targets:
        return None
    return part.model_copy(update={"action": replace(part.action, targets=targets)})
