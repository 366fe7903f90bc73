/** What the words of a sentence counted as. */

import type { Span } from "../api/models";

export type Group =
  | "action"
  | "value"
  | "thing"
  | "place"
  | "scope"
  | "joining"
  | "asking"
  | "filler"
  | "unknown"
  | "mark";

const GROUPS: Record<Exclude<Group, "unknown" | "mark">, readonly string[]> = {
  action: ["verb", "state", "move", "amount", "attribute"],
  value: ["number", "unit", "range", "level", "half", "factor", "color", "kelvin", "option", "to", "by"],
  thing: ["kind", "name", "name_word", "mood", "other"],
  place: ["place", "here", "everywhere"],
  scope: ["quantity", "pronoun", "except", "running"],
  joining: ["and", "or"],
  asking: ["asking", "measure", "correcting"],
  filler: ["article", "link", "filler"],
};

export const LEGEND: readonly Group[] = [
  "action",
  "value",
  "thing",
  "place",
  "scope",
  "joining",
  "asking",
  "filler",
  "unknown",
];

/** Returns the group of a role; one that is not known here counts as filler. */
export function groupOf(role: string): Group {
  const found = Object.entries(GROUPS).find(([, roles]) => roles.includes(role));
  return (found?.[0] as Group | undefined) ?? "filler";
}

export interface Word {
  text: string;
  group: Group;
  /** The likeliest role, "" for words that nobody knows and for marks. */
  role: string;
  value: string;
  others: { role: string; value: string }[];
}

/** Returns the words with their likeliest role. */
export function wordsOfSpans(spans: readonly Span[]): Word[] {
  return spans.map((span) => {
    const [first, ...others] = span.senses;
    if (!first) return { text: span.text, group: span.is_mark ? "mark" : "unknown", role: "", value: "", others: [] };
    return { text: span.text, group: groupOf(first.role), role: first.role, value: first.value, others };
  });
}
