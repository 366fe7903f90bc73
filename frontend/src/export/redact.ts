/** A turn without what anybody said, wrote or named, for a bug report: texts become their lengths. */

const WITHHELD = "<withheld>";

/** Under these names stand ids of agents, intents and actions, and words of Bellboard's own. */
const KEPT = new Set([
  "agent_id", "agents", "decline", "effect", "eligible", "error", "intent_id", "language", "level", "measure", "model",
  "provider", "purpose", "role", "router", "source", "sources", "stage", "state", "status", "steps", "tool", "type",
]);
/** Names that are kept under one parent only; elsewhere they are the house's. */
const KEPT_IN = new Set([
  "actions.name",
  "agents_asked.id",
  "intent.name",
  "recognized.intent",
]);
/** In these anything may stand, under any name. */
const FREE = new Set([
  "after", "attributes", "before", "data", "parameters", "persons", "slots", "workflow",
]);
/** States that devices of any house have. */
const STATES = new Set([
  "auto", "closed", "closing", "cool", "dry", "fan_only", "heat", "heat_cool", "home", "idle", "locked", "not_home", "off",
  "on", "open", "opening", "paused", "playing", "standby", "unavailable", "unknown", "unlocked",
]);

const TURN_ID = /^turn-[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;
const IDENTIFIER = /^[A-Za-z0-9_.:/+-]{1,128}$/;
const FIELD = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const DOTTED = /^([a-z_]+)\.([a-z0-9_]+)$/;
const MARK = /^(?:[a-z_]+\.)?<(?:\d+ characters|withheld)>$/;
const SECRET = /code|pin$|passw|secret|token$|api_?key|credential/i;

interface Place {
  name: string;
  parent: string;
  is_free: boolean;
}

/** Returns JSON without words; numbers, structure, ids and the domains of entities stay. */
export function redacted(value: unknown): unknown {
  return walk(value, { name: "", parent: "", is_free: false });
}

function walk(value: unknown, place: Place): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value;
  if (SECRET.test(place.name)) return WITHHELD;
  if (typeof value === "number") return value;
  if (typeof value === "string") return isKept(value, place) ? value : shortened(value);
  // What is in a list is named as the list is.
  if (Array.isArray(value)) return value.map((item: unknown) => walk(item, place));
  const is_free = place.is_free || FREE.has(place.name);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      // Scores are by agent.
      place.name === "scores" || FIELD.test(name) ? name : shortened(name),
      walk(item, { name, parent: place.name, is_free }),
    ]),
  );
}

function isKept(text: string, { name, parent, is_free }: Place): boolean {
  if (text === "" || MARK.test(text)) return true;
  if (name === "before" || name === "after") return STATES.has(text);
  if (is_free) return false;
  if (name === "action") return DOTTED.test(text);
  if (name === "id" && TURN_ID.test(text)) return true;
  if (name === "timestamp") return TIMESTAMP.test(text);
  return (KEPT.has(name) || KEPT_IN.has(`${parent}.${name}`)) && IDENTIFIER.test(text);
}

/** Returns the length of a text; of an entity's id, its domain stays. */
function shortened(text: string): string {
  const [, domain, rest] = DOTTED.exec(text) ?? [];
  return domain && rest ? `${domain}.<${rest.length} characters>` : `<${text.length} characters>`;
}
