import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Api, TurnsEvent } from "../src/api/client";
import type { Connection } from "../src/ha";
import { merge, MOST_TURNS, TurnFeed } from "../src/turns/feed";
import { filtered, isActive, NO_FILTER, occurring } from "../src/turns/filter";
import { lineOf } from "./samples";

describe("merging turns", () => {
  it("puts the newest first", () => {
    const one = merge([], [lineOf({ id: "a" }), lineOf({ id: "b" })]);
    expect(merge(one, [lineOf({ id: "c" })]).map((line) => line.id)).toEqual(["c", "b", "a"]);
  });

  it("replaces a turn where it stands", () => {
    const lines = merge([], [lineOf({ id: "a" }), lineOf({ id: "b" })]);
    const now = merge(lines, [lineOf({ id: "a", is_corrected: true })]);
    expect(now.map((line) => [line.id, line.is_corrected])).toEqual([
      ["b", false],
      ["a", true],
    ]);
  });

  it("keeps so many turns and no more", () => {
    const many = Array.from({ length: MOST_TURNS + 50 }, (_, index) => lineOf({ id: `${index}` }));
    const lines = merge([], many);
    expect(lines).toHaveLength(MOST_TURNS);
    expect(lines[0]?.id).toBe(`${MOST_TURNS + 49}`);
  });
});

describe("filtering turns", () => {
  const lines = [
    lineOf({ id: "fast", ms: 20, utterance: "Mach das Licht im Büro an", agents: ["light-agent"], sources: ["reflex"] }),
    lineOf({ id: "slow", ms: 1500, state: "failed", agents: ["music-agent"], sources: ["model"], is_corrected: true }),
    lineOf({ id: "other", assistant: "a2", ms: 1000, area: "Winter garden" }),
  ];
  const ids = (changes: object) => filtered(lines, { ...NO_FILTER, ...changes }, (id) => (id === "light-agent" ? "Lichter" : id)).map((line) => line.id);

  it.each([
    [{}, ["fast", "slow", "other"]],
    [{ text: "buro LICHT" }, ["fast"]],
    [{ text: "winter" }, ["other"]],
    [{ text: "lichter" }, ["fast", "other"]],
    [{ agent: "music-agent" }, ["slow"]],
    [{ state: "failed" }, ["slow"]],
    [{ source: "model" }, ["slow"]],
    [{ assistant: "a2" }, ["other"]],
    [{ only_slow: true }, ["slow"]],
    [{ only_slow: true, slow: 0.5 }, ["slow", "other"]],
    [{ only_corrected: true }, ["slow"]],
    [{ only_corrected: true, agent: "light-agent" }, []],
  ])("finds what matches all of %j", (changes, found) => {
    expect(ids({ ...changes })).toEqual(found);
  });

  it("knows when it leaves something out", () => {
    expect(isActive(NO_FILTER)).toBe(false);
    expect(isActive({ ...NO_FILTER, text: "  " })).toBe(false);
    expect(isActive({ ...NO_FILTER, only_slow: true })).toBe(true);
  });

  it("offers what occurs", () => {
    expect(occurring(lines, (line) => line.sources)).toEqual(["model", "reflex"]);
  });
});

describe("the feed of turns", () => {
  const frames: FrameRequestCallback[] = [];
  let send: (event: TurnsEvent) => void = () => undefined;
  let subscriptions = 0;
  let failure: unknown = null;
  const ready: (() => void)[] = [];

  const api = {
    watchTurns: (callback: (event: TurnsEvent) => void) => {
      subscriptions++;
      if (failure) return Promise.reject(failure as Error);
      send = callback;
      return Promise.resolve(() => undefined);
    },
  } as unknown as Api;
  const connection: Connection = {
    subscribeMessage: () => Promise.resolve(() => undefined),
    addEventListener: (_event, callback) => void ready.push(callback),
    removeEventListener: () => undefined,
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);

  beforeEach(() => {
    vi.useFakeTimers();
    frames.length = ready.length = 0;
    subscriptions = 0;
    failure = null;
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => frames.push(callback));
    vi.stubGlobal("cancelAnimationFrame", () => undefined);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("changes once for all turns of a batch", async () => {
    const feed = new TurnFeed(api);
    const told = vi.fn();
    feed.listen(told);
    feed.start(connection);
    await settle();
    send({ turns: [] });
    told.mockClear();
    for (let number = 0; number < 40; number++) send({ turn: lineOf({ id: `${number}` }) });
    await vi.advanceTimersByTimeAsync(200);
    expect(frames).toHaveLength(1);
    expect(told).not.toHaveBeenCalled();
    frames[0]?.(0);
    expect(told).toHaveBeenCalledOnce();
    expect(feed.lines).toHaveLength(40);
  });

  it("shows what came in while it waited, and not more than five times a second", async () => {
    const feed = new TurnFeed(api);
    const told = vi.fn();
    vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => {
      callback(0);
      return 1;
    });
    feed.start(connection);
    await settle();
    send({ turns: [] });
    feed.listen(told);
    for (let number = 0; number < 50; number++) {
      send({ turn: lineOf({ id: `${number}` }) });
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(told.mock.calls.length).toBeLessThanOrEqual(6);
    expect(feed.lines).toHaveLength(50);
  });

  it("subscribes again when the connection is back", async () => {
    const feed = new TurnFeed(api);
    feed.start(connection);
    await settle();
    ready[0]?.();
    await settle();
    expect(subscriptions).toBe(2);
    send({ turns: [lineOf({ id: "new" })] });
    expect(feed.lines.map((line) => line.id)).toEqual(["new"]);
  });

  it("says why there are no turns, and tries again until there are", async () => {
    failure = { code: "unknown_command", message: "Unknown command." };
    const feed = new TurnFeed(api);
    feed.start(connection);
    await settle();
    expect(feed.error).toBe("Unknown command.");
    failure = null;
    await vi.advanceTimersByTimeAsync(5000);
    expect(subscriptions).toBe(2);
    send({ turns: [] });
    expect(feed.error).toBeNull();
    expect(feed.isLoaded).toBe(true);
    feed.stop();
  });
});
