/** Who could have answered a part of a sentence, and why the others did not. */

import type { Agent, Part } from "../api/models";

/** Why an agent did not get a part. */
export type Loss = "lower" | "not_asked" | "no_words" | "out_of_scope";

export interface Candidate {
  id: string;
  name: string;
  is_chosen: boolean;
  /** Between 0 and 1; null where nobody gave it a score. */
  score: number | null;
  loss: Loss | null;
}

/**
 * Returns the agents of a part: the chosen one first, then by score. `known` are all agents of the assistant; it may be
 * empty where they could not be asked for.
 */
export function candidates(
  part: Part,
  eligible: readonly string[],
  known: readonly Agent[],
  nameOf: (id: string) => string,
): Candidate[] {
  const routed = known.filter((agent) => agent.is_routed).map((agent) => agent.id);
  const ids = new Set([part.agent_id, ...Object.keys(part.scores), ...eligible, ...routed]);
  const found = [...ids].map((id): Candidate => {
    const is_chosen = id === part.agent_id;
    const score = part.scores[id] ?? (is_chosen ? part.confidence : null);
    const loss = is_chosen ? null : lossOf(id, score, part, eligible);
    return { id, name: nameOf(id), is_chosen, score, loss };
  });
  return found.sort(
    (one, other) =>
      Number(other.is_chosen) - Number(one.is_chosen) ||
      (other.score ?? -1) - (one.score ?? -1) ||
      one.name.localeCompare(other.name),
  );
}

function lossOf(id: string, score: number | null, part: Part, eligible: readonly string[]): Loss {
  if (score !== null) return "lower";
  if (!eligible.includes(id)) return "out_of_scope";
  return Object.keys(part.scores).length ? "no_words" : "not_asked";
}
