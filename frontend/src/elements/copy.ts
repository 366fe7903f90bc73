/** A button that copies a text. */

import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";

import { BbElement } from "./base";
import { copyText } from "./clipboard";
import { icon } from "./icon";

@customElement("bb-copy")
export class BbCopy extends BbElement {
  @property({ attribute: false }) text = "";

  protected override render(): TemplateResult {
    return html`<button
      type="button"
      class="icon-button"
      aria-label=${this.ctx.t("action.copy")}
      title=${this.ctx.t("action.copy")}
      data-test="copy"
      @click=${this.copy}
    >
      ${icon("copy", 18)}
    </button>`;
  }

  private async copy(): Promise<void> {
    const isCopied = await copyText(this.text, this.renderRoot as ShadowRoot);
    this.ctx.notify(this.ctx.t(isCopied ? "action.copied" : "action.not_copied"));
  }
}
