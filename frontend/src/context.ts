/** What the page gives to its views. */

import type { Api } from "./api/client";
import type { Assistant, Choices, Sentence, User } from "./api/models";
import type { Format } from "./format";
import type { Hass } from "./ha";
import type { Localize } from "./i18n";
import type { View } from "./routes";
import type { TurnFeed } from "./turns/feed";
import type { Filter } from "./turns/filter";

/** What stays while one goes from view to view. */
export interface Memory {
  filter: Filter;
  shown: number;
  scroll: number;
  last_turn: string | null;
  draft: Partial<Sentence> | null;
  /** Rules that are written and not saved yet. */
  policies: { text: string; revision: string } | null;
}

/** A new one is made when anything in it changes, so that the views are shown anew. */
export interface Context {
  /** Home Assistant as it is now. */
  readonly hass: () => Hass;
  readonly api: Api;
  readonly t: Localize["text"];
  readonly label: Localize["label"];
  readonly language: string;
  readonly format: Format;
  readonly feed: TurnFeed;
  readonly assistants: readonly Assistant[];
  readonly assistant: Assistant;
  readonly users: readonly User[];
  readonly memory: Memory;
  readonly choose: (assistantId: string) => void;
  readonly navigate: (view: View, turn?: string) => void;
  readonly address: (view: View, turn?: string) => string;
  readonly notify: (message: string) => void;
}

export function areaName(ctx: Context, id: string | null | undefined): string | null {
  return id ? (ctx.hass().areas?.[id]?.name ?? id) : null;
}

/** Returns an amount in the home's currency. */
export function money(ctx: Context, amount: number): string {
  return ctx.format.money(amount, ctx.hass().config?.currency);
}

export function userName(ctx: Context, id: string | null | undefined): string | null {
  if (!id) return null;
  const { user } = ctx.hass();
  const found = ctx.users.find((each) => each.id === id);
  return found?.name ?? (user?.id === id ? user.name : id);
}

export function entityName(ctx: Context, id: string): string {
  const name = ctx.hass().states[id]?.attributes["friendly_name"];
  return typeof name === "string" && name ? name : id;
}

export function assistantTitle(ctx: Context, id: string): string {
  return ctx.assistants.find((each) => each.id === id || each.entity_id === id)?.title ?? id;
}

/** Returns an agent's name: in the page's language where it is always there; its id where nobody knows it any more. */
export function agentName({ assistants, label }: Pick<Context, "assistants" | "label">, id: string): string {
  const name = label("agent", id);
  if (name !== id) return name;
  return assistants.find(({ agents }) => id in agents)?.agents[id] ?? id;
}

export function agentNames(ctx: Pick<Context, "assistants" | "label">, ids: readonly string[]): string {
  return ids.map((id) => agentName(ctx, id)).join(", ");
}

/** Returns the areas of the home by name. */
export function areasOf(ctx: Context): { id: string; name: string }[] {
  return Object.values(ctx.hass().areas ?? {})
    .map((area) => ({ id: area.area_id, name: area.name }))
    .sort((one, other) => one.name.localeCompare(other.name, ctx.language));
}

/** Returns the name of an entity as it is among the choices, else as Home Assistant shows it. */
export function nameAmong(ctx: Context, choices: Choices | undefined, id: string): string {
  return choices?.devices.find((device) => device.entity_id === id)?.name ?? entityName(ctx, id);
}
