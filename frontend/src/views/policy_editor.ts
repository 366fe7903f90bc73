/** The file of the rules as a text: checked as one types, saved whole; examples to begin with. */

import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Policies, PoliciesChecked } from "../api/models";
import { BbElement, Loader, valueOf } from "../elements/base";
import { icon } from "../elements/icon";
import { alert } from "../elements/parts";
import { codeOf } from "../ha";
import { EXAMPLES, type Example, exampleLines, withRule } from "../policies";
import "../elements/copy";

const CHECK_MS = 400;
const CHANGED = "policies_changed";

@customElement("bb-policy-editor")
export class BbPolicyEditor extends BbElement {
  /** The file as it was read last. */
  @property({ attribute: false }) policies!: Policies;

  @state() private text = "";
  @state() private isConflict = false;

  /** Which file the text was made of. */
  private revision: string | null = null;
  private savedText = "";
  private timer = 0;
  private readonly check = new Loader<PoliciesChecked>(this);
  private readonly saving = new Loader<Policies>(this);

  static override styles = [
    ...BbElement.styles,
    css`
      textarea {
        min-block-size: 320px;
        white-space: pre;
        overflow: auto;
        tab-size: 2;
      }
      .examples {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(230px, 1fr));
        gap: 12px;
      }
      .example {
        display: flex;
        flex-direction: column;
        gap: 4px;
        align-items: start;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const draft = this.ctx.memory.policies;
    if (draft) ({ text: this.text, revision: this.revision } = draft);
    if (draft) this.checkSoon();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
    this.ctx.memory.policies =
      this.revision !== null && this.isEdited ? { text: this.text, revision: this.revision } : null;
  }

  /** Takes the file as it is now; what is being written stays, and is refused where the file was changed meanwhile. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("policies")) return;
    const { text, revision } = this.policies;
    if (text === null || revision === null) return;
    if (this.revision === null || !this.isEdited || this.text === text) this.take();
    else this.isConflict = this.revision !== revision;
  }

  private get isEdited(): boolean {
    return this.text !== this.savedText;
  }

  private readonly take = (): void => {
    this.text = this.savedText = this.policies.text ?? "";
    this.revision = this.policies.revision;
    this.isConflict = false;
    this.check.clear();
    this.saving.clear();
  };

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    if (this.policies.text === null) return alert(t("policies.unreadable"), "warning");
    return html`<section class="card stack" data-test="policies-editor">
      <div class="row spread">
        <h3 id="edit">${t("policies.edit")}</h3>
        <bb-copy .ctx=${this.ctx} .text=${this.text}></bb-copy>
      </div>
      <p class="small muted">${t("policies.edit_about")}</p>
      ${this.text.includes("••••") ? html`<p class="small muted">${t("policies.codes_hidden")}</p>` : nothing}
      <textarea
        class="code"
        rows="16"
        spellcheck="false"
        autocapitalize="off"
        aria-labelledby="edit"
        data-test="policies-text"
        .value=${this.text}
        @input=${(event: Event) => this.write(valueOf(event))}
      ></textarea>
      <div role="status" data-test="policies-check">${this.told()}</div>
      ${this.saving.error && !this.isConflict ? alert(this.saving.error, "error") : nothing}
      <div class="row">
        <button
          class="button primary"
          type="button"
          data-test="policies-save"
          ?disabled=${!this.isEdited || this.isConflict || this.saving.isLoading || Boolean(this.check.data?.error)}
          @click=${this.save}
        >
          ${t("policies.save")}
        </button>
        ${this.isEdited || this.isConflict
          ? html`<button class="button" type="button" data-test="policies-discard" @click=${this.discard}>
              ${t(this.isConflict ? "policies.take" : "policies.discard")}
            </button>`
          : nothing}
      </div>
      <details ?open=${!this.policies.exists}>
        <summary>${t("policies.examples")}</summary>
        <div class="examples" style="margin-block-start:12px">
          ${EXAMPLES.map((example) => this.example(example))}
        </div>
      </details>
    </section>`;
  }

  private told(): TemplateResult | typeof nothing {
    const { t, format } = this.ctx;
    if (this.isConflict) return alert(t("policies.conflict"), "warning");
    if (!this.isEdited) return nothing;
    if (this.check.error) return alert(this.check.error, "error");
    const found = this.check.data;
    if (!found) return html`<p class="small muted">${t("policies.checking")}</p>`;
    if (!found.error) {
      return alert(t("policies.good", { count: format.number(found.rules.length) }), "success");
    }
    const line = Number(found.error.line) || 1;
    return alert(
      html`<div data-test="policies-fault">
        <b>${t("policies.line", { line: format.number(line) })}</b> ${found.error.reason ?? ""}
      </div>`,
      "error",
      html`<button class="button" type="button" @click=${() => this.show(line)}>
        ${t("policies.show_line")}
      </button>`,
    );
  }

  private example(example: Example): TemplateResult {
    const { t, label } = this.ctx;
    return html`<div class="example" data-test="policies-example">
      <b>${label("example", example)}</b>
      <button
        class="button"
        type="button"
        data-test="policies-example-${example}"
        @click=${() => this.add(exampleLines(example, label("example_reason", example)))}
      >
        ${icon("edit", 18)} ${t("policies.use_example")}
      </button>
    </div>`;
  }

  /** Puts a rule after the others, and shows where it begins. */
  private async add(rule: readonly string[]): Promise<void> {
    const text = withRule(this.text, rule);
    this.write(text);
    await this.updateComplete;
    this.show(text.split("\n").findLastIndex((line) => line.endsWith(`- ${rule[0] ?? ""}`)) + 1);
  }

  private write(text: string): void {
    this.text = text;
    this.saving.clear();
    this.check.clear();
    this.checkSoon();
  }

  private checkSoon(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.checkNow(), CHECK_MS);
  }

  private async checkNow(): Promise<void> {
    const { text, revision } = this;
    if (revision === null || this.isConflict) return;
    await this.check.load(() => this.noting(this.ctx.api.checkPolicies(text, revision)));
  }

  private readonly save = async (): Promise<void> => {
    const { text, revision } = this;
    if (revision === null) return;
    window.clearTimeout(this.timer);
    const saved = await this.saving.load(() => this.noting(this.ctx.api.savePolicies(text, revision)));
    if (!saved) return;
    this.savedText = text;
    this.check.clear();
    this.ctx.notify(this.ctx.t("policies.saved"));
    this.dispatchEvent(new CustomEvent<Policies>("saved", { detail: saved }));
  };

  /** Notes that somebody else wrote the file, where that is why something was refused. */
  private async noting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (codeOf(error) === CHANGED) {
        this.isConflict = true;
        this.dispatchEvent(new CustomEvent("outdated"));
      }
      throw error;
    }
  }

  private readonly discard = (): void => {
    window.clearTimeout(this.timer);
    this.take();
  };

  private show(line: number): void {
    const area = this.renderRoot.querySelector("textarea");
    if (!area) return;
    const lines = this.text.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    area.scrollTop = ((line - 4) * area.scrollHeight) / Math.max(lines.length, 1);
  }
}
