/** A turn as a file for a bug report, to be saved or copied. Words are in it only if one wants that. */

import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Reading, Turn } from "../api/models";
import { BbElement, isChecked, valueOf } from "../elements/base";
import { copyText, download } from "../elements/clipboard";
import { icon } from "../elements/icon";
import { alert } from "../elements/parts";
import { fileName, type Kind, report } from "../export/report";
import "../elements/dialog";

@customElement("bb-export")
export class BbExport extends BbElement {
  @property({ attribute: false }) turn!: Turn;
  @property({ attribute: false }) reading: Reading | null = null;
  @property({ type: Boolean }) open = false;

  @state() private kind: Kind = "markdown";
  @state() private with_words = false;

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const text = this.open ? this.text() : "";
    return html`<bb-dialog
      .open=${this.open}
      .heading=${t("export.title")}
      .closing=${t("action.close")}
      @closed=${this.closed}
    >
      <div class="stack">
        <p>${t("export.about")}</p>
        <label class="field">
          <span>${t("export.kind")}</span>
          <select
            data-test="export-kind"
            @change=${(event: Event) => (this.kind = valueOf(event) as Kind)}
          >
            <option value="markdown" ?selected=${this.kind === "markdown"}>Markdown</option>
            <option value="json" ?selected=${this.kind === "json"}>JSON</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            .checked=${this.with_words}
            ?disabled=${!this.turn.has_words}
            data-test="export-words"
            @change=${(event: Event) => (this.with_words = isChecked(event))}
          />
          ${t("export.words")}
        </label>
        ${this.with_words ? alert(t("export.warning"), "warning") : ""}
        <pre tabindex="0" role="region" aria-label=${t("export.preview")} data-test="export-text">
${text}</pre
        >
      </div>
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="export-copy"
        @click=${this.copy}
      >
        ${icon("copy", 18)} ${t("action.copy")}
      </button>
      <button
        slot="actions"
        class="button primary"
        type="button"
        data-test="export-download"
        @click=${() => this.save()}
      >
        ${icon("download", 18)} ${t("action.download")}
      </button>
    </bb-dialog>`;
  }

  private text(): string {
    return report({ turn: this.turn, reading: this.reading }, this.kind, this.with_words);
  }

  private async copy(event: Event): Promise<void> {
    // A field to copy from must be in the open dialog: what is outside of it cannot be selected.
    const within = (event.currentTarget as HTMLElement).parentElement ?? document.body;
    const isCopied = await copyText(this.text(), within);
    this.ctx.notify(this.ctx.t(isCopied ? "action.copied" : "action.not_copied"));
  }

  private save(): void {
    const type = this.kind === "json" ? "application/json" : "text/markdown";
    download(fileName({ turn: this.turn, reading: this.reading }, this.kind), this.text(), type);
  }

  private closed(): void {
    this.with_words = false;
    this.dispatchEvent(new CustomEvent("closed"));
  }
}
