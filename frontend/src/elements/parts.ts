/** Small parts that many views show. */

import { html, nothing, type TemplateResult } from "lit";
import { styleMap } from "lit/directives/style-map.js";

import { icon } from "./icon";

export type Tone = "neutral" | "success" | "warning" | "error" | "info";

export function chip(text: string, tone: Tone = "neutral", hook?: string): TemplateResult {
  return html`<span class="chip ${tone}" data-test=${hook ?? nothing}>${text}</span>`;
}

const STATE_TONES: Record<string, Tone> = {
  completed: "success",
  failed: "error",
  "input-required": "info",
  passed: "success",
  skipped: "warning",
};

export function toneOfState(state: string): Tone {
  return STATE_TONES[state] ?? "neutral";
}

const EFFECT_TONES: Record<string, Tone> = {
  allow: "success",
  deny: "error",
  confirm: "warning",
  clamp: "info",
};

export function toneOfEffect(effect: string): Tone {
  return EFFECT_TONES[effect] ?? "neutral";
}

/** A message that matters; a screen reader says an error at once. */
export function alert(
  content: unknown,
  tone: "info" | "warning" | "error" | "success" = "info",
  action: unknown = nothing,
): TemplateResult {
  const sign = tone === "success" ? "check" : tone === "info" ? "info" : "alert";
  return html`<div
    class="alert ${tone}"
    role=${tone === "error" ? "alert" : "status"}
    data-test="alert-${tone}"
  >
    ${icon(sign)}
    <div class="body">${content}</div>
    ${action}
  </div>`;
}

/** A bar for a share between 0 and 1, with a line at another share. What it says stands beside it in words. */
export function bar(share: number, line?: number): TemplateResult {
  const percent = (value: number) => `${(Math.min(Math.max(value, 0), 1) * 100).toFixed(2)}%`;
  return html`<div class="bar" aria-hidden="true">
    <div class="fill" style=${styleMap({ inlineSize: percent(share) })}></div>
    ${line === undefined
      ? nothing
      : html`<div class="line" style=${styleMap({ insetInlineStart: percent(line) })}></div>`}
  </div>`;
}

export function empty(text: string): TemplateResult {
  return html`<p class="empty" data-test="empty">${text}</p>`;
}

export function loading(text: string): TemplateResult {
  return html`<p class="empty" role="status" data-test="loading">${text}</p>`;
}
