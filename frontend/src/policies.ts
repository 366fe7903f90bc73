/** Rules of policies in words that people read: each condition as a line. Rules as text: examples, and where one is put. */

export interface Condition {
  /** Path of the field, such as ["not", "time", "after"]; in lists of conditions with their number. */
  path: string[];
  values: string[];
}

/** Returns the conditions of a rule's match in their order; nested ones by their path. */
export function conditions(match: Record<string, unknown>, path: readonly string[] = []): Condition[] {
  return Object.entries(match).flatMap(([name, value]) => conditionsOf(value, [...path, name]));
}

function conditionsOf(value: unknown, path: string[]): Condition[] {
  if (Array.isArray(value)) {
    if (value.some(isObject)) {
      return value.flatMap((item: unknown, index) =>
        conditionsOf(item, [...path, ...(value.length > 1 ? [String(index + 1)] : [])]),
      );
    }
    return [{ path, values: value.map(String) }];
  }
  if (isObject(value)) return conditions(value, path);
  return [{ path, values: [String(value)] }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const EXAMPLES = ["doors", "warm", "evenings", "sure"] as const;

export type Example = (typeof EXAMPLES)[number];

const LINES: Record<Example, readonly string[]> = {
  doors: [
    "name: ask_before_doors",
    "match:",
    "  any:",
    "    - action: [lock.unlock, lock.open]",
    "    - action: cover.open_cover",
    "      device_class: [garage, gate, door]",
    "effect: confirm",
  ],
  warm: [
    "name: warm_enough",
    "match:",
    "  domain: climate",
    "  parameters:",
    "    temperature: {above: 23}",
    "effect: clamp",
    "to:",
    "  temperature: {max: 23}",
  ],
  evenings: [
    "name: quiet_evenings",
    "match:",
    "  domain: media_player",
    '  time: {after: "21:00", before: "08:00"}',
    "effect: clamp",
    "to:",
    "  volume_level: {max: 0.4}",
  ],
  sure: ["name: no_guesses_for_covers", "match:", "  domain: [cover, valve]", "  assumed: true", "effect: confirm"],
};

/** Returns the lines of an example, with the reason that is said of it. */
export function exampleLines(example: Example, reason: string): string[] {
  return [...LINES[example], `reason: ${JSON.stringify(reason)}`];
}

/** Returns the text of the file with a rule after its others. */
export function withRule(text: string, rule: readonly string[]): string {
  const lines = text.trimEnd() ? text.trimEnd().split("\n") : [];
  let start = lines.findIndex((line) => /^rules\s*:/.test(line));
  if (start < 0) start = lines.push("rules:") - 1;
  lines[start] = (lines[start] ?? "").replace(/^rules\s*:\s*(\[\s*\]|null|~)\s*/, "rules: ").trimEnd();
  let end = lines.findIndex((line, index) => index > start && /^[^\s#-]/.test(line));
  if (end < 0) end = lines.length;
  // Comments above the next key belong to it.
  while (end > start + 1 && /^(#.*)?\s*$/.test(lines[end - 1] ?? "")) end--;
  const others = lines.slice(start + 1, end).find((line) => /^\s*- /.test(line));
  const indent = others ? others.slice(0, others.indexOf("-")) : "  ";
  lines.splice(end, 0, ...rule.map((line, index) => `${indent}${index ? "  " : "- "}${line}`));
  return `${lines.join("\n")}\n`;
}
