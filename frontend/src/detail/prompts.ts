/** Calls of a model: the exact prompts, the schema and the answer, each to be opened and copied. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { ModelCall } from "../api/models";
import { BbElement } from "../elements/base";
import { chip } from "../elements/parts";
import "../elements/copy";

@customElement("bb-prompts")
export class BbPrompts extends BbElement {
  @property({ attribute: false }) calls: readonly ModelCall[] = [];

  @state() private open: ReadonlySet<number> = new Set();

  static override styles = [
    ...BbElement.styles,
    css`
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        margin-block-start: 8px;
      }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<ol class="list">
      ${this.calls.map((call, index) => html`<li data-test="model-call">${this.call(call, index)}</li>`)}
    </ol>`;
  }

  private call(call: ModelCall, index: number): TemplateResult {
    const { t, format, label } = this.ctx;
    const share = call.prompt_tokens ? call.cached_tokens / call.prompt_tokens : 0;
    return html`<div class="row">
        <b>${label("purpose", call.purpose)}</b>
        <span class="muted wrap">${call.provider} · ${call.model}</span>
        <span class="numeric">${format.duration(call.ms)}</span>
        ${call.error ? chip(label("model_error", call.error), "error") : nothing}
      </div>
      <p class="small muted">
        ${t("models.tokens", {
          prompt: format.number(call.prompt_tokens),
          cached: format.percent(share),
          answer: format.number(call.completion_tokens),
        })}
        ${call.temperature === null
          ? nothing
          : html`· ${t("models.temperature", { value: format.number(call.temperature, 2) })}`}
        ${call.tools.length ? html`· ${t("label.tools")}: ${call.tools.join(", ")}` : nothing}
      </p>
      <details
        data-test="prompts"
        @toggle=${(event: Event) => this.toggle(index, (event.target as HTMLDetailsElement).open)}
      >
        <summary>${t("models.show")}</summary>
        ${this.open.has(index) ? this.texts(call) : nothing}
      </details>`;
  }

  private texts(call: ModelCall): TemplateResult {
    const { t, label } = this.ctx;
    return html`
      ${call.messages.map((message) =>
        this.text(label("message_role", message.role), message.content),
      )}
      ${call.schema
        ? this.text(t("models.schema"), JSON.stringify(call.schema, null, 2))
        : nothing}
      ${this.text(t("models.answer"), call.answer || (call.error ? label("model_error", call.error) : ""))}
    `;
  }

  private text(title: string, text: string): TemplateResult {
    return html`<div class="head">
        <h4>${title}</h4>
        <bb-copy .ctx=${this.ctx} .text=${text}></bb-copy>
      </div>
      <pre tabindex="0" role="region" aria-label=${title}>${text}</pre>`;
  }

  private toggle(index: number, isOpen: boolean): void {
    const open = new Set(this.open);
    if (isOpen) open.add(index);
    else open.delete(index);
    this.open = open;
  }
}
