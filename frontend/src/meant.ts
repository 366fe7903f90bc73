/** Values that are typed in a correction. */

import type { Parameter } from "./api/models";

type Texts = Readonly<Record<string, string>>;

/** Returns whether all values are there that an action needs. */
export function isWhole(
  action: { any_parameter: boolean; parameters: readonly Parameter[] },
  texts: Texts,
): boolean {
  const isGiven = ({ name }: Parameter) => Boolean(texts[name]?.trim());
  if (action.any_parameter) return action.parameters.some(isGiven);
  return action.parameters.every((each) => each.is_optional || isGiven(each));
}

/** Returns the values by name, numbers as numbers, a colour of three numbers as a list; what is empty is left out. */
export function valuesOf(
  parameters: readonly Parameter[],
  texts: Texts,
): Record<string, string | number | number[]> {
  const found: Record<string, string | number | number[]> = {};
  for (const { name, kind } of parameters) {
    const text = texts[name]?.trim();
    if (!text) continue;
    found[name] = valueOfKind(kind, text);
  }
  return found;
}

function valueOfKind(kind: Parameter["kind"], text: string): string | number | number[] {
  if (kind === "number" || kind === "step") return Number(text);
  if (kind === "color") {
    const parts = text.split(/[\s,;]+/).map(Number);
    if (parts.length === 3 && parts.every((part) => part >= 0 && part <= 255)) return parts;
  }
  return text;
}
