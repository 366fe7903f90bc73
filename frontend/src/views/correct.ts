/** A wrong turn is put right: what was meant, and how that is kept. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import type { Choices, Meant, Parameter, Turn } from "../api/models";
import { agentName } from "../context";
import { BbElement, Loader, valueOf } from "../elements/base";
import { alert, loading } from "../elements/parts";
import { wordsOf } from "../ha";
import { isWhole, valuesOf } from "../meant";
import "../elements/devices";
import "../elements/dialog";

type Keep = "learn" | "alias" | "case" | "mark";

const WAYS: readonly Keep[] = ["learn", "alias", "case", "mark"];

@customElement("bb-correct")
export class BbCorrect extends BbElement {
  @property({ attribute: false }) turn!: Turn;
  @property({ type: Boolean }) open = false;

  @state() private is_nothing = false;
  @state() private targets: string[] = [];
  @state() private action = "";
  @state() private agent = "";
  @state() private texts: Record<string, string> = {};
  @state() private keep: Keep = "learn";
  @state() private alias = "";
  @state() private isForAll = false;
  @state() private error: string | null = null;
  @state() private isSending = false;

  private readonly choices = new Loader<Choices>(this);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("open") || !this.open) return;
    this.error = null;
    if (!this.choices.data) void this.choices.load(() => this.ctx.api.choices(this.turn.assistant));
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    return html`<bb-dialog
      .open=${this.open}
      .heading=${t("correct.title")}
      .closing=${t("action.close")}
      @closed=${() => this.dispatchEvent(new CustomEvent("closed"))}
    >
      ${this.open ? this.content() : nothing}
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="correct-cancel"
        @click=${this.close}
      >
        ${t("action.cancel")}
      </button>
      <button
        slot="actions"
        class="button primary"
        type="button"
        data-test="correct-send"
        ?disabled=${this.isSending || !this.isReady()}
        @click=${this.send}
      >
        ${t("correct.send")}
      </button>
    </bb-dialog>`;
  }

  private content(): TemplateResult {
    const { t } = this.ctx;
    const choices = this.choices.data;
    return html`<div class="stack" data-test="correct">
      <p class="wrap">${this.ctx.t("label.quoted", { text: this.turn.utterance })}</p>
      ${this.error ? alert(this.error, "error") : nothing}
      ${this.choices.error ? alert(this.choices.error, "error") : nothing}
      <fieldset class="stack tight">
        <legend>${t("correct.meant")}</legend>
        ${this.radio("meant", "something", !this.is_nothing, t("correct.something"), () => {
          this.is_nothing = false;
        })}
        ${this.radio("meant", "nothing", this.is_nothing, t("correct.nothing"), () => {
          this.is_nothing = true;
          if (this.keep === "learn" || this.keep === "alias") this.keep = "case";
        })}
      </fieldset>
      ${this.is_nothing
        ? nothing
        : choices
          ? this.meaning(choices)
          : this.choices.error
            ? nothing
            : loading(t("status.loading"))}
      <fieldset class="stack tight">
        <legend>${t("correct.keep")}</legend>
        ${WAYS.map((way) =>
          this.radio(
            "keep",
            way,
            this.keep === way,
            html`${t(`keep.${way}`)}
              <span class="small muted" style="display:block">${t(`keep.${way}_about`)}</span>`,
            () => (this.keep = way),
            this.is_nothing && (way === "learn" || way === "alias"),
          ),
        )}
      </fieldset>
      ${this.keep === "learn" && choices?.others
        ? html`<label class="check">
            <input
              type="checkbox"
              .checked=${this.isForAll}
              data-test="correct-for-all"
              @change=${() => (this.isForAll = !this.isForAll)}
            />
            <span>${t("correct.for_all")}</span>
          </label>`
        : nothing}
      ${this.keep === "alias"
        ? html`<label class="field">
            <span>${t("correct.alias")}</span>
            <input
              type="text"
              maxlength="100"
              .value=${this.alias}
              data-test="correct-alias"
              @input=${(event: Event) => (this.alias = valueOf(event))}
            />
          </label>`
        : nothing}
    </div>`;
  }

  private radio(
    group: string,
    value: string,
    isChosen: boolean,
    text: unknown,
    choose: () => void,
    isDisabled = false,
  ): TemplateResult {
    return html`<label class="check" style=${isDisabled ? "opacity:.5" : nothing}>
      <input
        type="radio"
        name=${group}
        value=${value}
        .checked=${isChosen}
        ?disabled=${isDisabled}
        data-test="correct-${group}-${value}"
        @change=${choose}
      />
      <span>${text}</span>
    </label>`;
  }

  private meaning(choices: Choices): TemplateResult {
    const { t, label } = this.ctx;
    const domain = this.targets[0]?.split(".")[0] ?? "";
    const actions = choices.domains[domain]?.actions ?? [];
    const action = actions.find((each) => each.name === this.action);
    return html`
      <bb-devices
        .ctx=${this.ctx}
        .devices=${choices.devices}
        .chosen=${this.targets}
        together
        data-test="correct-devices"
        @chosen=${(event: CustomEvent<string[]>) => this.aim(event.detail, choices)}
      ></bb-devices>
      ${this.keep === "alias"
        ? nothing
        : html`<label class="field">
              <span>${t("correct.action")}</span>
              <select
                data-test="correct-action"
                ?disabled=${!actions.length}
                @change=${(event: Event) => {
                  this.action = valueOf(event);
                  this.texts = {};
                }}
              >
                <option value="" ?selected=${!this.action}>
                  ${actions.length ? t("correct.choose") : t("correct.devices_first")}
                </option>
                ${actions.map(
                  (each) =>
                    html`<option value=${each.name} ?selected=${each.name === this.action}>
                      ${label("do", each.name)}
                    </option>`,
                )}
              </select>
            </label>
            ${action?.any_parameter
              ? html`<p class="small muted">${t("correct.any_value")}</p>`
              : nothing}
            ${action?.parameters.map((parameter) => this.parameter(parameter)) ?? nothing}
            <label class="field">
              <span>${t("label.agent")}</span>
              <select
                data-test="correct-agent"
                @change=${(event: Event) => (this.agent = valueOf(event))}
              >
                <option value="" ?selected=${!this.agent}>${t("correct.choose")}</option>
                ${choices.agents.map(
                  (each) =>
                    html`<option value=${each.id} ?selected=${each.id === this.agent}>
                      ${agentName(this.ctx, each.id)}
                    </option>`,
                )}
              </select>
            </label>`}
    `;
  }

  private parameter(parameter: Parameter): TemplateResult {
    const { t, label } = this.ctx;
    const { name, kind, unit, low, high } = parameter;
    const value = this.texts[name] ?? "";
    const isOptional = parameter.is_optional || this.chosenAction()?.any_parameter;
    const title = `${label("parameter", name)}${unit ? ` (${unit})` : ""}`;
    const write = (event: Event) => (this.texts = { ...this.texts, [name]: valueOf(event) });
    const options = this.optionsOf(parameter);
    return html`<label class="field">
      <span>${title}${isOptional ? ` – ${t("label.optional")}` : nothing}</span>
      ${options.length
        ? html`<select data-test="correct-value-${name}" @change=${write}>
            <option value="" ?selected=${!value}>${t("correct.choose")}</option>
            ${options.map(
              (each) =>
                html`<option value=${each} ?selected=${each === value}>${each}</option>`,
            )}
          </select>`
        : kind === "number" || kind === "step"
          ? html`<input
              type="number"
              step="any"
              min=${kind === "number" ? (low ?? nothing) : nothing}
              max=${kind === "number" ? (high ?? nothing) : nothing}
              .value=${value}
              data-test="correct-value-${name}"
              @input=${write}
            />`
          : html`<input
              type="text"
              .value=${value}
              placeholder=${kind === "color" ? t("correct.color") : ""}
              data-test="correct-value-${name}"
              @input=${write}
            />`}
    </label>`;
  }

  /** What can be chosen for a parameter: fixed choices, or those that the devices themselves have. */
  private optionsOf(parameter: Parameter): string[] {
    if (parameter.choices.length) return parameter.choices;
    if (!parameter.options) return [];
    const { states } = this.ctx.hass();
    const found = this.targets.flatMap((id) => states[id]?.attributes[parameter.options] ?? []);
    return [...new Set(found.map(String))];
  }

  private aim(targets: string[], choices: Choices): void {
    const before = this.targets[0]?.split(".")[0];
    const domain = targets[0]?.split(".")[0];
    this.targets = targets;
    if (domain === before) return;
    this.action = "";
    this.texts = {};
    this.agent = (domain && choices.domains[domain]?.agent_id) || "";
  }

  private chosenAction() {
    const domain = this.targets[0]?.split(".")[0] ?? "";
    return this.choices.data?.domains[domain]?.actions.find((each) => each.name === this.action);
  }

  private meant(): Meant | null {
    const action = this.chosenAction();
    if (!action || !this.agent || !this.targets.length) return null;
    if (!isWhole(action, this.texts)) return null;
    return {
      agent_id: this.agent,
      action: action.name,
      targets: this.targets,
      parameters: valuesOf(action.parameters, this.texts),
    };
  }

  private isReady(): boolean {
    if (this.keep === "mark") return true;
    if (this.keep === "alias") return this.targets.length === 1 && Boolean(this.alias.trim());
    return this.is_nothing ? this.keep === "case" : this.meant() !== null;
  }

  private readonly send = async (): Promise<void> => {
    this.isSending = true;
    this.error = null;
    try {
      this.ctx.notify(await this.kept());
      this.dispatchEvent(new CustomEvent("corrected"));
      this.close();
      this.reset();
    } catch (error) {
      this.error = wordsOf(error);
    } finally {
      this.isSending = false;
    }
  };

  /** Keeps the correction and returns what to say of it. */
  private async kept(): Promise<string> {
    const { api, t } = this.ctx;
    const { id } = this.turn;
    const [target = ""] = this.targets;
    const meant = this.is_nothing ? null : this.meant();
    switch (this.keep) {
      case "learn":
        if (meant && this.isForAll) {
          return t("kept.learn_all", { count: await api.learn(id, meant, true) });
        }
        if (meant) await api.learn(id, meant, false);
        return t("kept.learn");
      case "alias":
        await api.addAlias(id, target, this.alias.trim());
        return t("kept.alias", { alias: this.alias.trim() });
      case "case": {
        const { file } = await api.addCase(id, meant);
        return t("kept.case", { file });
      }
      case "mark":
        await api.mark(id);
        return t("kept.mark");
    }
  }

  private readonly close = (): void => {
    const dialog = this.renderRoot.querySelector("bb-dialog");
    if (dialog) dialog.open = false;
  };

  private reset(): void {
    this.is_nothing = false;
    this.targets = [];
    this.action = "";
    this.agent = "";
    this.texts = {};
    this.keep = "learn";
    this.alias = "";
    this.isForAll = false;
  }
}
