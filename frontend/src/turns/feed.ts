/** The turns as they come in: the newest first, at most 500, and shown in batches, at most five times a second. */

import type { Api, TurnsEvent } from "../api/client";
import type { Line } from "../api/models";
import { type Connection, type Unsubscribe, wordsOf } from "../ha";

export const MOST_TURNS = 500;
/** Milliseconds between two updates of the page at least: a reader sees no more, and slow phones have time for others. */
const GAP = 200;
/** Milliseconds until a failed subscription is tried again. */
const RETRY = 5000;

/** Returns the lines with what came in put first; one that was there is replaced where it stands. */
export function merge(lines: readonly Line[], incoming: readonly Line[]): Line[] {
  const newest = new Map<string, Line>();
  for (const line of incoming) newest.set(line.id, line);
  const kept = lines.map((line) => {
    const other = newest.get(line.id);
    newest.delete(line.id);
    return other ?? line;
  });
  const added = [...newest.values()].reverse();
  return [...added, ...kept].slice(0, MOST_TURNS);
}

export class TurnFeed {
  /** The newest first; a new array with each change. */
  lines: readonly Line[] = [];
  isLoaded = false;
  error: string | null = null;

  private pending: Line[] = [];
  private frame = 0;
  private wait = 0;
  private shownAt = -GAP;
  private retry = 0;
  private unsubscribe: Unsubscribe | null = null;
  private connection: Connection | null = null;
  private run = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly api: Api) {}

  /** Calls `listener` after each change, until the function it returns is called. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  start(connection: Connection): void {
    this.connection = connection;
    connection.addEventListener("ready", this.subscribe);
    void this.subscribe();
  }

  stop(): void {
    this.run++;
    window.clearTimeout(this.retry);
    window.clearTimeout(this.wait);
    cancelAnimationFrame(this.frame);
    this.frame = this.wait = 0;
    this.connection?.removeEventListener("ready", this.subscribe);
    this.drop();
  }

  /** Home Assistant forgets a subscription with its connection, and refuses one while Bellboard is not set up yet. */
  private readonly subscribe = async (): Promise<void> => {
    const run = ++this.run;
    window.clearTimeout(this.retry);
    this.drop();
    try {
      const unsubscribe = await this.api.watchTurns((event) => {
        if (run === this.run) this.take(event);
      });
      if (run === this.run) this.unsubscribe = unsubscribe;
      else await unsubscribe();
    } catch (error) {
      if (run !== this.run) return;
      this.error = wordsOf(error);
      this.retry = window.setTimeout(() => void this.subscribe(), RETRY);
      this.tell();
    }
  };

  private drop(): void {
    const unsubscribe = this.unsubscribe;
    this.unsubscribe = null;
    // The connection it was made on may be gone, and the subscription with it.
    if (unsubscribe) void Promise.resolve(unsubscribe()).catch(() => undefined);
  }

  private take(event: TurnsEvent): void {
    if ("turns" in event) {
      this.pending = [];
      this.lines = merge([], event.turns);
      this.isLoaded = true;
      this.error = null;
      this.tell();
      return;
    }
    this.pending.push(event.turn);
    // No frames come while the page is hidden.
    if (this.pending.length > MOST_TURNS) this.pending.shift();
    this.wait ||= window.setTimeout(
      () => (this.frame = requestAnimationFrame(this.flush)),
      Math.max(0, this.shownAt + GAP - performance.now()),
    );
  }

  private readonly flush = (): void => {
    this.frame = this.wait = 0;
    this.shownAt = performance.now();
    this.lines = merge(this.lines, this.pending);
    this.pending = [];
    this.tell();
  };

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
