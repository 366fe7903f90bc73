/** The page's words in nine languages, each loaded when it is needed. */

import type en from "./translations/en.json";

export type Key = keyof typeof en;
export type Values = Record<string, string | number>;
type Words = Record<string, string>;

const LOADERS: Record<string, () => Promise<{ default: Words }>> = {
  de: () => import("./translations/de.json"),
  en: () => import("./translations/en.json"),
  es: () => import("./translations/es.json"),
  fr: () => import("./translations/fr.json"),
  it: () => import("./translations/it.json"),
  nl: () => import("./translations/nl.json"),
  pl: () => import("./translations/pl.json"),
  pt: () => import("./translations/pt.json"),
  sv: () => import("./translations/sv.json"),
};

/** The codes of the page's languages, which are those that Bellboard understands. */
export const LANGUAGES: readonly string[] = Object.keys(LOADERS);

/** Returns which of the page's languages is meant by a code such as "pt-BR"; English for any other. */
export function languageOf(code: string | undefined): string {
  const base = (code ?? "en").toLowerCase().split(/[-_]/)[0] ?? "en";
  return base in LOADERS ? base : "en";
}

export class Localize {
  constructor(
    readonly language: string,
    private readonly words: Words,
  ) {}

  /** Returns a text with what stands in braces replaced. */
  text = (key: Key, values: Values = {}): string => fill(this.words[key] ?? key, values);

  /** Returns the word for an id of Bellboard's, such as a stage's; the id itself where there is none. */
  label = (group: string, id: string): string => {
    const known = this.words[`${group}.${id.replaceAll("-", "_")}`];
    return known ?? id;
  };
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : whole,
  );
}

export async function loadLanguage(code: string | undefined): Promise<Localize> {
  const language = languageOf(code);
  const load = LOADERS[language] as () => Promise<{ default: Words }>;
  return new Localize(language, (await load()).default);
}
