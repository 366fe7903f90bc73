import { describe, expect, it } from "vitest";

import { shares, place, roundUp } from "../src/charts/scale";
import { Format } from "../src/format";
import { wordsOf } from "../src/ha";
import { isWhole, valuesOf } from "../src/meant";
import { pathOf, placeOf } from "../src/routes";
import type { Parameter } from "../src/api/models";

const AT = Date.UTC(2026, 10, 2, 20, 5, 9) / 1000;
const zone = { time_zone: "server" };

/** Without the narrow spaces that Intl puts between a number and its unit. */
function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, " ");
}

describe("formatting", () => {
  it.each([
    [{ language: "en" }, "1,234.5"],
    [{ language: "de" }, "1.234,5"],
    [{ language: "de", number_format: "comma_decimal" }, "1,234.5"],
    [{ language: "en", number_format: "decimal_comma" }, "1.234,5"],
    [{ language: "en", number_format: "space_comma" }, "1 234,5"],
    [{ language: "en", number_format: "none" }, "1234.5"],
  ])("writes numbers as the profile wants them: %j", (locale, text) => {
    expect(plain(new Format(locale).number(1234.5, 1))).toBe(text);
  });

  it.each([
    [0.00021, "EUR", "€0.00021"],
    [0.5, "EUR", "€0.50"],
    [0, "USD", "$0.00"],
    [12.345, "USD", "$12.35"],
    [0.25, "JPY", "¥0.25"],
    [1234, "JPY", "¥1,234"],
    [0.00021, undefined, "0.00021"],
  ])("writes the amount %s of %s as %s", (amount, currency, text) => {
    expect(plain(new Format({ language: "en" }).money(amount, currency))).toBe(text);
  });

  it.each([
    [0.42, "0.4 ms"],
    [17.6, "18 ms"],
    [999, "999 ms"],
    [1234, "1.23 sec"],
    [12345, "12.3 sec"],
    [null, "–"],
  ])("writes %s ms as %s", (ms, text) => {
    expect(plain(new Format({ language: "en" }).duration(ms))).toBe(text);
  });

  it("writes times with twelve or twenty-four hours, in the time zone of the profile", () => {
    const now = new Date(AT * 1000 + 1000);
    const time = (locale: object) =>
      plain(new Format({ language: "en", ...zone, ...locale }, "Europe/Berlin").time(AT, now));
    expect(time({ time_format: "24" })).toBe("21:05:09");
    expect(time({ time_format: "12" })).toBe("9:05:09 PM");
  });

  it("writes the day where it is not today, and the year where it is long ago", () => {
    const format = new Format({ language: "en", time_format: "24", ...zone }, "UTC");
    expect(plain(format.time(AT, new Date(AT * 1000 + 86_400_000)))).toBe("Nov 2, 20:05");
    expect(plain(format.time(AT, new Date(AT * 1000 + 400 * 86_400_000)))).toBe("Nov 2, 2026, 20:05");
  });

  it("writes shares, scores, days and names of languages", () => {
    const format = new Format({ language: "de" });
    expect(plain(format.percent(0.876))).toBe("88 %");
    expect(format.score(0.5)).toBe("0,50");
    expect(format.weekday("sat")).toBe("Samstag");
    expect(format.languageName("fr")).toBe("Französisch");
    expect(format.languageName("not a code")).toBe("not a code");
  });

  it("writes what cannot be a moment as it is", () => {
    expect(new Format({ language: "en" }).moment("soon")).toBe("soon");
  });

  it("tells errors in their own words", () => {
    expect(wordsOf({ code: "home_assistant_error", message: "The devices cannot do that." })).toBe(
      "The devices cannot do that.",
    );
    expect(wordsOf(new Error("broken"))).toBe("broken");
    expect(wordsOf({ code: 3 })).toBe("3");
    expect(wordsOf("gone")).toBe("gone");
  });
});

describe("charts", () => {
  it.each([
    [0, 1],
    [3, 5],
    [5, 5],
    [512, 1000],
    [1480, 2000],
  ])("round %s up to %s", (value, top) => {
    expect(roundUp(value)).toBe(top);
  });

  it("place the latest at the right and zero at the bottom", () => {
    const { points, top } = place([[10, 0], [20, 50], [30, 100]], 300, 80);
    expect(top).toBe(100);
    expect(points).toEqual([
      { x: 0, y: 80 },
      { x: 150, y: 40 },
      { x: 300, y: 0 },
    ]);
  });

  it("place a single value in the middle", () => {
    expect(place([[10, 5]], 300, 80).points).toEqual([{ x: 150, y: 0 }]);
  });

  it("order counts by size", () => {
    expect(shares({ a: 1, b: 4 })).toEqual([
      { name: "b", value: 4, share: 1 },
      { name: "a", value: 1, share: 0.25 },
    ]);
  });
});

describe("paths", () => {
  it.each([
    ["", "turns", null],
    ["/", "turns", null],
    ["/turns", "turns", null],
    ["/turns/turn-1%2F2", "turns", "turn-1/2"],
    ["/turns/%zz", "turns", "%zz"],
    ["/health", "health", null],
    ["/health/x", "health", null],
    ["/nowhere", "turns", null],
  ])("%j leads to %s, %s", (path, view, turn) => {
    expect(placeOf(path)).toEqual({ view, turn });
  });

  it("lead back to where they came from", () => {
    expect(placeOf(pathOf("turns", "turn-1/2"))).toEqual({ view: "turns", turn: "turn-1/2" });
    expect(placeOf(pathOf("try"))).toEqual({ view: "try", turn: null });
  });
});

describe("values of a correction", () => {
  const parameter = (name: string, kind: Parameter["kind"], is_optional = false): Parameter => ({
    name,
    kind,
    unit: "",
    low: null,
    high: null,
    options: "",
    choices: [],
    is_optional,
  });
  const parameters = [parameter("percent", "number"), parameter("color", "color"), parameter("note", "text", true)];

  it("are numbers, texts, or the parts of a colour", () => {
    expect(valuesOf(parameters, { percent: "40", color: "255, 0 ,10", note: " " })).toEqual({
      percent: 40,
      color: [255, 0, 10],
    });
    expect(valuesOf(parameters, { color: "blue", note: "hi" })).toEqual({ color: "blue", note: "hi" });
  });

  it("are whole with each that is needed, or with one where one is enough", () => {
    expect(isWhole({ any_parameter: false, parameters }, { percent: "1" })).toBe(false);
    expect(isWhole({ any_parameter: false, parameters }, { percent: "1", color: "red" })).toBe(true);
    expect(isWhole({ any_parameter: true, parameters }, { color: "red" })).toBe(true);
    expect(isWhole({ any_parameter: true, parameters }, {})).toBe(false);
    expect(isWhole({ any_parameter: false, parameters: [] }, {})).toBe(true);
  });
});
