/** Numbers, times and units as the user's profile in Home Assistant wants them. */

import type { Locale } from "./ha";

type Moment = Date | number | string;

/** Milliseconds within which a day needs no year: about half of one. */
const NEAR = 182 * 86_400_000;

/** Returns the locales for numbers of a profile; undefined for the browser's own. */
export function numberLocales(locale: Locale): string | string[] | undefined {
  switch (locale.number_format) {
    case "comma_decimal":
      return ["en-US", "en"];
    case "decimal_comma":
      return ["de", "es", "it"];
    case "space_comma":
      return ["fr", "sv", "cs"];
    case "quote_decimal":
      return ["de-CH"];
    case "system":
      return undefined;
    default:
      return locale.language;
  }
}

/** Returns whether a profile wants twelve hours; undefined where the language decides. */
export function hour12(locale: Locale): boolean | undefined {
  if (locale.time_format === "12") return true;
  if (locale.time_format === "24") return false;
  return undefined;
}

export class Format {
  private readonly locales: string | string[] | undefined;
  private readonly language: string;
  private readonly grouping: boolean;
  private readonly clock: Intl.DateTimeFormat;
  private readonly dayAndClock: Intl.DateTimeFormat;
  private readonly nearDayAndClock: Intl.DateTimeFormat;
  private readonly dayOnly: Intl.DateTimeFormat;

  constructor(locale: Locale, serverZone?: string) {
    this.language = locale.language;
    this.locales = numberLocales(locale);
    this.grouping = locale.number_format !== "none";
    const zone = locale.time_zone === "server" && serverZone ? { timeZone: serverZone } : {};
    const twelve = hour12(locale);
    const hours = twelve === undefined ? {} : { hour12: twelve };
    const time = { hour: "numeric", minute: "2-digit", second: "2-digit" } as const;
    const day = { year: "numeric", month: "short", day: "numeric" } as const;
    this.clock = new Intl.DateTimeFormat(this.language, { ...time, ...hours, ...zone });
    const minute = { hour: "numeric", minute: "2-digit", ...hours, ...zone } as const;
    this.dayAndClock = new Intl.DateTimeFormat(this.language, { ...day, ...minute });
    this.nearDayAndClock = new Intl.DateTimeFormat(this.language, {
      month: "short",
      day: "numeric",
      ...minute,
    });
    this.dayOnly = new Intl.DateTimeFormat(this.language, { ...day, ...zone });
  }

  number(value: number, digits = 0): string {
    return new Intl.NumberFormat(this.locales, {
      maximumFractionDigits: digits,
      useGrouping: this.grouping,
    }).format(value);
  }

  /** Returns an amount of a currency, such as "EUR"; less than one with all of its digits. */
  money(amount: number, currency?: string): string {
    if (!currency) return this.number(amount, 8);
    return new Intl.NumberFormat(this.locales, {
      style: "currency",
      currency,
      useGrouping: this.grouping,
      ...(amount < 1 ? { maximumFractionDigits: 8 } : {}),
    }).format(amount);
  }

  /** Returns a share between 0 and 1 in percent. */
  percent(share: number): string {
    return new Intl.NumberFormat(this.locales, {
      style: "percent",
      maximumFractionDigits: 0,
      useGrouping: this.grouping,
    }).format(share);
  }

  /** Returns a confidence or score between 0 and 1 with two digits. */
  score(value: number): string {
    return new Intl.NumberFormat(this.locales, {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }).format(value);
  }

  /** Returns milliseconds as people read them: seconds from one second on. */
  duration(ms: number | null | undefined): string {
    if (ms === null || ms === undefined) return "–";
    const inSeconds = ms >= 1000;
    const value = inSeconds ? ms / 1000 : ms;
    const digits = inSeconds ? (value < 10 ? 2 : 1) : value < 10 ? 1 : 0;
    return new Intl.NumberFormat(this.locales, {
      style: "unit",
      unit: inSeconds ? "second" : "millisecond",
      unitDisplay: "short",
      maximumFractionDigits: digits,
      useGrouping: this.grouping,
    }).format(value);
  }

  /** Returns the time of day; with the day where that is not today, and the year where that is long ago. A number is in seconds since 1970. */
  time(moment: Moment, now: Date = new Date()): string {
    const at = dateOf(moment);
    if (Number.isNaN(at.getTime())) return String(moment);
    const isToday = this.dayOnly.format(at) === this.dayOnly.format(now);
    if (isToday) return this.clock.format(at);
    const isNear = Math.abs(now.getTime() - at.getTime()) < NEAR;
    return (isNear ? this.nearDayAndClock : this.dayAndClock).format(at);
  }

  /** Returns the day and the time of day. */
  moment(moment: Moment): string {
    const at = dateOf(moment);
    return Number.isNaN(at.getTime()) ? String(moment) : this.dayAndClock.format(at);
  }

  /** Returns the name of a day of the week by its English beginning, such as "mon". */
  weekday(code: string): string {
    const day = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].indexOf(code);
    if (day < 0) return code;
    // The first of January 2024 was a Monday.
    const date = new Date(Date.UTC(2024, 0, 1 + day));
    return new Intl.DateTimeFormat(this.language, { weekday: "long", timeZone: "UTC" }).format(date);
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: "conjunction" }).format(items);
  }

  /** Returns the name of a language in the user's language. */
  languageName(code: string): string {
    try {
      return new Intl.DisplayNames([this.language], { type: "language" }).of(code) ?? code;
    } catch {
      // Not a language's code: the browser knows no name.
      return code;
    }
  }

  /** Returns a value of a state, a slot or a parameter as text. */
  value(value: unknown): string {
    if (value === null || value === undefined) return "–";
    if (typeof value === "number") return this.number(value, 2);
    if (typeof value === "string") return value;
    return JSON.stringify(value);
  }
}

function dateOf(moment: Moment): Date {
  if (typeof moment === "number") return new Date(moment * 1000);
  return moment instanceof Date ? moment : new Date(moment);
}
