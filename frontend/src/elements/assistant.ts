/** Chooses an assistant; where there is only one, there is nothing to choose. */

import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";

import { BbElement, valueOf } from "./base";

@customElement("bb-assistant")
export class BbAssistant extends BbElement {
  protected override updated(): void {
    this.hidden = this.ctx.assistants.length < 2;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { t, assistants, assistant, choose } = this.ctx;
    if (assistants.length < 2) return nothing;
    return html`<label class="field">
      <span>${t("label.assistant")}</span>
      <select data-test="assistant" @change=${(event: Event) => choose(valueOf(event))}>
        ${assistants.map(
          (each) => html`<option value=${each.id} ?selected=${each.id === assistant.id}>
            ${each.title}
          </option>`,
        )}
      </select>
    </label>`;
  }
}
