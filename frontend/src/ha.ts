/** What the page uses of Home Assistant's frontend. */

export type Unsubscribe = () => Promise<void> | void;

export interface Connection {
  subscribeMessage<T>(
    callback: (message: T) => void,
    message: { type: string; [key: string]: unknown },
    options?: { resubscribe?: boolean },
  ): Promise<Unsubscribe>;
  addEventListener(event: "ready" | "disconnected", callback: () => void): void;
  removeEventListener(event: "ready" | "disconnected", callback: () => void): void;
}

export interface Locale {
  language: string;
  number_format?: string;
  time_format?: string;
  date_format?: string;
  time_zone?: string;
}

export interface EntityState {
  entity_id: string;
  state: string;
  attributes: Record<string, unknown>;
}

export interface Hass {
  language: string;
  locale?: Locale;
  connected?: boolean;
  dockedSidebar?: string;
  config?: { time_zone?: string; language?: string; currency?: string };
  connection: Connection;
  user?: { id: string; name: string; is_admin?: boolean };
  areas?: Record<string, { area_id: string; name: string }>;
  devices?: Record<string, { id: string; area_id?: string | null }>;
  states: Record<string, EntityState>;
  services?: Record<string, Record<string, unknown>>;
  callWS<T>(message: { type: string; [key: string]: unknown }): Promise<T>;
}

export interface Route {
  prefix: string;
  path: string;
}

/** Returns which of Home Assistant's refusals an error is, empty for another. */
export function codeOf(error: unknown): string {
  const code = (error as { translation_key?: unknown } | null)?.translation_key;
  return typeof code === "string" ? code : "";
}

/** Returns what went wrong in words: Home Assistant's own where it sent some. */
export function wordsOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (error && typeof error === "object") {
    const { message, code, error: inner } = error as {
      message?: unknown;
      code?: unknown;
      error?: unknown;
    };
    if (typeof message === "string" && message) return message;
    if (typeof inner === "string" && inner) return inner;
    if (typeof code === "string" || typeof code === "number") return String(code);
  }
  return String(error);
}
