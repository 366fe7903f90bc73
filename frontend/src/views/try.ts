/** Tries a sentence without touching anything, also with other settings beside the present ones. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { Agent, Changes, Contract, Sentence, Trial } from "../api/models";
import { callAsText, callsOf, type Fact, facts } from "../compare/facts";
import { diffWords } from "../compare/diff";
import { agentNames, areasOf } from "../context";
import { AssistantView, isChecked, Loader, valueOf } from "../elements/base";
import { icon } from "../elements/icon";
import { alert, chip, loading, toneOfState } from "../elements/parts";
import { wordsOf } from "../ha";
import { LANGUAGES } from "../i18n";
import "../detail/sections";
import "../elements/assistant";
import "../elements/dialog";

const CONTRACTS: readonly Contract[] = ["auto", "small", "capable"];

interface Pair {
  before: Trial;
  after: Trial;
}

@customElement("bb-try")
export class BbTry extends AssistantView {
  @state() private text = "";
  @state() private language = "";
  @state() private area = "";
  @state() private user = "";
  @state() private is_comparing = false;
  @state() private threshold = "";
  @state() private model = "";
  @state() private contract: Contract = "auto";
  @state() private prompt = "";
  @state() private isAsking = false;
  @state() private answer: string | null = null;
  @state() private failure: string | null = null;

  private conversation = newConversation();
  private readonly trial = new Loader<Trial>(this);
  private readonly pair = new Loader<Pair>(this);
  private readonly agents = new Loader<Agent[]>(this);

  static override styles = [
    ...AssistantView.styles,
    css`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(160px, 1fr));
        gap: 12px;
        align-items: end;
      }
      .sides {
        display: grid;
        gap: 16px;
        grid-template-columns: minmax(0, 1fr);
      }
      @container page (min-width: 900px) {
        .sides {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      .reply {
        font-size: var(--ha-font-size-l, 16px);
      }
      .different > th,
      .different > td {
        background: color-mix(in srgb, var(--bb-warning) 12%, transparent);
      }
      .different > th {
        border-inline-start: 3px solid var(--bb-warning);
        padding-inline-start: 8px;
      }
      .facts-table {
        table-layout: fixed;
        min-inline-size: 520px !important;
      }
      .facts-table th[scope="row"],
      .facts-table td:first-child {
        inline-size: 130px;
      }
      .facts-table th[scope="row"] {
        color: var(--bb-muted);
        font-size: var(--ha-font-size-s, 12px);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    const { memory, language } = this.ctx;
    const { draft } = memory;
    memory.draft = null;
    this.text = draft?.text ?? "";
    this.language = draft?.language ?? language;
    this.area = draft?.area_id ?? "";
    this.user = draft ? (draft.user_id ?? "") : (this.ctx.hass().user?.id ?? "");
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const trial = this.trial.data;
    const pair = this.pair.data;
    return html`<div class="stack">
      ${this.form()}
      ${this.trial.error ? alert(this.trial.error, "error") : nothing}
      ${this.pair.error ? alert(this.pair.error, "error") : nothing}
      ${this.failure ? alert(this.failure, "error") : nothing}
      ${this.answer === null
        ? nothing
        : alert(html`<span data-test="done">${t("try.done", { reply: this.answer })}</span>`, "success")}
      ${this.trial.isLoading || this.pair.isLoading ? loading(t("try.working")) : nothing}
      ${trial && !this.trial.isLoading ? this.result(trial) : nothing}
      ${pair && !this.pair.isLoading ? this.comparison(pair) : nothing}
      ${this.confirmation()}
    </div>`;
  }

  private form(): TemplateResult {
    const { t, format } = this.ctx;
    const languages = [...new Set([...LANGUAGES, this.language])].filter(Boolean);
    const isBusy = this.trial.isLoading || this.pair.isLoading;
    return html`<form class="card stack" @submit=${this.submit}>
      <label class="field">
        <span>${t("label.sentence")}</span>
        <input
          type="text"
          required
          autocomplete="off"
          .value=${this.text}
          placeholder=${t("try.example")}
          data-test="try-text"
          @input=${(event: Event) => (this.text = valueOf(event))}
        />
      </label>
      <div class="fields">
        <bb-assistant .ctx=${this.ctx}></bb-assistant>
        ${this.choice(
          "language",
          t("label.language"),
          this.language,
          languages.map((code) => [code, format.languageName(code)]),
          (value) => (this.language = value),
        )}
        ${this.choice(
          "area",
          t("label.room"),
          this.area,
          [["", t("try.nowhere")], ...areasOf(this.ctx).map(({ id, name }) => [id, name] as const)],
          (value) => (this.area = value),
        )}
        ${this.choice(
          "user",
          t("label.person"),
          this.user,
          [["", t("try.nobody")], ...this.people()],
          (value) => (this.user = value),
        )}
      </div>
      <label class="check">
        <input
          type="checkbox"
          .checked=${this.is_comparing}
          data-test="compare"
          @change=${(event: Event) => (this.is_comparing = isChecked(event))}
        />
        ${t("compare.title")}
      </label>
      ${this.is_comparing ? this.changesForm() : nothing}
      <div class="row">
        <button class="button primary" type="submit" data-test="try" ?disabled=${isBusy}>
          ${icon("play", 18)} ${this.is_comparing ? t("compare.run") : t("try.run")}
        </button>
        <button
          class="button"
          type="button"
          data-test="really"
          ?disabled=${isBusy || !this.text.trim()}
          @click=${() => (this.isAsking = true)}
        >
          ${t("try.really")}
        </button>
        <span class="small muted">${t("try.about")}</span>
      </div>
    </form>`;
  }

  private people(): (readonly [string, string])[] {
    const { users } = this.ctx;
    const { user } = this.ctx.hass();
    const found = users.map((each) => [each.id, each.name ?? each.username ?? each.id] as const);
    const isKnown = (id: string) => found.some(([known]) => known === id);
    if (user && !isKnown(user.id)) found.unshift([user.id, user.name]);
    if (this.user && !isKnown(this.user) && this.user !== user?.id) {
      found.push([this.user, this.user]);
    }
    return found;
  }

  private changesForm(): TemplateResult {
    const { t, assistants } = this.ctx;
    const models = [...new Set(assistants.flatMap((each) => each.model ?? []))];
    return html`<fieldset class="stack tight" data-test="changes">
      <legend>${t("compare.about")}</legend>
      <div class="fields">
        <label class="field">
          <span>${t("compare.threshold")}</span>
          <input
            type="number"
            min="0"
            max="1"
            step="0.01"
            .value=${this.threshold}
            data-test="compare-threshold"
            @input=${(event: Event) => (this.threshold = valueOf(event))}
          />
        </label>
        <label class="field">
          <span>${t("label.model")}</span>
          <input
            type="text"
            list="models"
            .value=${this.model}
            data-test="compare-model"
            @input=${(event: Event) => (this.model = valueOf(event))}
          />
          <datalist id="models">
            ${models.map((model) => html`<option value=${model}></option>`)}
          </datalist>
        </label>
        <label class="field">
          <span>${t("compare.contract")}</span>
          <select
            data-test="compare-contract"
            @change=${(event: Event) => (this.contract = valueOf(event) as Contract)}
          >
            ${CONTRACTS.map(
              (each) => html`<option value=${each} ?selected=${each === this.contract}>
                ${t(`contract.${each}`)}
              </option>`,
            )}
          </select>
        </label>
      </div>
      <label class="field">
        <span>${t("compare.prompt")}</span>
        <textarea
          class="code"
          rows="8"
          .value=${this.prompt}
          data-test="compare-prompt"
          @input=${(event: Event) => (this.prompt = valueOf(event))}
        ></textarea>
      </label>
    </fieldset>`;
  }

  private choice(
    name: string,
    title: string,
    chosen: string,
    options: readonly (readonly [string, string])[],
    choose: (value: string) => void,
  ): TemplateResult {
    return html`<label class="field">
      <span>${title}</span>
      <select
        data-test="try-${name}"
        @change=${(event: Event) => choose(valueOf(event))}
      >
        ${options.map(
          ([id, text]) => html`<option value=${id} ?selected=${id === chosen}>${text}</option>`,
        )}
      </select>
    </label>`;
  }

  private result(trial: Trial): TemplateResult {
    return html`<div class="stack" data-test="result">
      ${this.summary(trial)} ${this.sections(trial)}
    </div>`;
  }

  private summary(trial: Trial, title?: string): TemplateResult {
    const { t, label, format } = this.ctx;
    const calls = callsOf(trial);
    return html`<section class="card stack tight" data-test="result-summary">
      ${title ? html`<h3>${title}</h3>` : nothing}
      <p class="reply verbatim" data-test="result-reply">${trial.reply}</p>
      <p class="row">
        ${chip(label("state", trial.state), toneOfState(trial.state))}
        ${trial.sources.map((source) => chip(label("source", source), "info"))}
        <span>${agentNames(this.ctx, trial.agents)}</span>
        <span class="small muted numeric">${format.duration(trial.ms)}</span>
      </p>
      <h3>${t("plan.would")}</h3>
      ${calls.length
        ? html`<ul class="stack tight" data-test="result-calls">
            ${calls.map((call) => html`<li><code>${callAsText(call)}</code></li>`)}
          </ul>`
        : html`<p class="muted">${t("try.nothing")}</p>`}
    </section>`;
  }

  private sections(trial: Trial): TemplateResult {
    return html`<bb-detail
      .ctx=${this.ctx}
      .detail=${trial}
      .ms=${trial.ms}
      .reading=${trial.reading}
      .agents=${this.agents.data ?? []}
      trial
    ></bb-detail>`;
  }

  private comparison({ before, after }: Pair): TemplateResult {
    const { t } = this.ctx;
    const found = facts(before, after, this.ctx).filter((fact) => fact.before || fact.after);
    const isSame = !found.some((fact) => fact.is_different);
    return html`<div class="stack" data-test="comparison">
      ${isSame ? alert(t("compare.same"), "info") : nothing}
      <section class="card scroll" tabindex="0" role="region" aria-label=${t("compare.result")}>
        <table class="facts-table">
          <thead>
            <tr>
              <td></td>
              <th scope="col">${t("compare.before")}</th>
              <th scope="col">${t("compare.after")}</th>
            </tr>
          </thead>
          <tbody>
            ${found.map((fact) => this.fact(fact))}
          </tbody>
        </table>
      </section>
      <div class="sides">
        ${(
          [
            [before, t("compare.before")],
            [after, t("compare.after")],
          ] as const
        ).map(
          ([trial, title]) => html`<details>
            <summary>${title}</summary>
            <div class="stack">${this.summary(trial, title)} ${this.sections(trial)}</div>
          </details>`,
        )}
      </div>
    </div>`;
  }

  private fact(fact: Fact): TemplateResult {
    const { t } = this.ctx;
    const pieces = fact.is_different ? diffWords(fact.before, fact.after) : [];
    return html`<tr class=${fact.is_different ? "different" : ""} data-test="fact-${fact.name}">
      <th scope="row">
        ${t(`compare.${fact.name}`)}
        ${fact.is_different
          ? html`<span class="visually-hidden">${t("compare.different")}</span>`
          : nothing}
      </th>
      <td class="verbatim">${fact.is_different
        ? pieces.map((piece) =>
            piece.kind === "new"
              ? nothing
              : piece.kind === "gone"
                ? html`<del>${piece.text}</del>`
                : piece.text,
          )
        : fact.before || "–"}</td>
      <td class="verbatim">${fact.is_different
        ? pieces.map((piece) =>
            piece.kind === "gone"
              ? nothing
              : piece.kind === "new"
                ? html`<mark>${piece.text}</mark>`
                : piece.text,
          )
        : fact.after || "–"}</td>
    </tr>`;
  }

  private confirmation(): TemplateResult {
    const { t } = this.ctx;
    return html`<bb-dialog
      small
      .open=${this.isAsking}
      .heading=${t("try.really")}
      .closing=${t("action.close")}
      data-test="really-dialog"
      @closed=${() => (this.isAsking = false)}
    >
      <p>${t("try.really_about")}</p>
      <p class="wrap"><b>${this.ctx.t("label.quoted", { text: this.text })}</b></p>
      <button
        slot="actions"
        class="button"
        type="button"
        data-test="really-no"
        @click=${() => (this.isAsking = false)}
      >
        ${t("action.cancel")}
      </button>
      <button
        slot="actions"
        class="button danger"
        type="button"
        data-test="really-yes"
        @click=${this.say}
      >
        ${t("try.yes")}
      </button>
    </bb-dialog>`;
  }

  private sentence(): Sentence {
    return {
      assistant: this.ctx.assistant.id,
      text: this.text.trim(),
      language: this.language,
      area_id: this.area || null,
      user_id: this.user || null,
      conversation_id: this.conversation,
    };
  }

  /** What was changed against the assistant's own settings. */
  private changes(): Changes {
    const { assistant } = this.ctx;
    const threshold = Number(this.threshold);
    const model = this.model.trim();
    return {
      ...(this.threshold && threshold !== assistant.threshold ? { threshold } : {}),
      ...(model && model !== assistant.model ? { model } : {}),
      ...(this.contract !== assistant.contract ? { contract: this.contract } : {}),
      ...(this.prompt !== assistant.system_prompt ? { system_prompt: this.prompt } : {}),
    };
  }

  private readonly submit = (event: Event): void => {
    event.preventDefault();
    const { api, assistant } = this.ctx;
    if (!this.text.trim()) return;
    const sentence = this.sentence();
    this.answer = null;
    this.failure = null;
    this.trial.clear();
    this.pair.clear();
    if (!this.agents.data) void this.agents.load(() => api.agents(assistant.id));
    if (!this.is_comparing) {
      void this.trial.load(() => api.try(sentence));
      return;
    }
    const changes = this.changes();
    void this.pair.load(async () => {
      // One after the other: two at once would wait for the same model, and both times would be wrong.
      const before = await api.try(sentence);
      return { before, after: await api.try(sentence, changes) };
    });
  };

  private readonly say = async (): Promise<void> => {
    this.isAsking = false;
    this.failure = null;
    this.answer = null;
    const { api, assistant } = this.ctx;
    const device = Object.values(this.ctx.hass().devices ?? {}).find(
      (each) => this.area && each.area_id === this.area,
    );
    try {
      const said = await api.say(this.text.trim(), assistant.entity_id, this.language, device?.id);
      this.answer = said.response.speech?.plain?.speech ?? "";
    } catch (error) {
      this.failure = wordsOf(error);
    }
  };

  /** Puts the settings of the chosen assistant into the form. */
  protected override prepare(): void {
    const { assistant } = this.ctx;
    this.agents.clear();
    this.threshold = String(assistant.threshold);
    this.model = assistant.model ?? "";
    this.contract = assistant.contract;
    this.prompt = assistant.system_prompt;
    this.conversation = newConversation();
  }
}

/** A try begins a conversation of its own. */
function newConversation(): string {
  return `panel-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}
