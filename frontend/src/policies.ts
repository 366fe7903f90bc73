/** Rules of policies in words that people read: each condition as a line. */

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
