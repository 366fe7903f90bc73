/** Policies: the rules as they were read, what is wrong with their file, and what they say to a call. */

import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";

import type { Choices, Policies, PolicyRule, Verdict } from "../api/models";
import { areasOf } from "../context";
import { AssistantView, Loader, valueOf } from "../elements/base";
import { icon } from "../elements/icon";
import { alert, chip, empty, loading, toneOfEffect } from "../elements/parts";
import { conditions } from "../policies";
import "../elements/devices";
import "./policy_editor";

/** Fields whose values are words of the rules, and no names. */
const WORDED = ["planned", "assumed", "by", "user", "person", "satellite", "device"];

@customElement("bb-policies")
export class BbPolicies extends AssistantView {
  @state() private action = "light.turn_on";
  @state() private targets: string[] = [];
  @state() private data = "{}";
  @state() private user = "";
  @state() private area = "";
  @state() private fault: string | null = null;

  private readonly policies = new Loader<Policies>(this);
  private readonly choices = new Loader<Choices>(this);
  private readonly verdicts = new Loader<Verdict[]>(this);

  static override styles = [
    ...AssistantView.styles,
    css`
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(180px, 1fr));
        gap: 12px;
        align-items: end;
      }
    `,
  ];

  protected override prepare(): void {
    const { api, assistant } = this.ctx;
    if (!this.policies.data) void this.policies.load(() => api.policies());
    void this.choices.load(() => api.choices(assistant.id));
  }

  protected override render(): TemplateResult {
    const { t } = this.ctx;
    const found = this.policies.data;
    return html`<div class="stack">
      ${this.policies.error ? alert(this.policies.error, "error") : nothing}
      ${found
        ? html`${this.file(found)}
            <bb-policy-editor
              .ctx=${this.ctx}
              .policies=${found}
              @saved=${(event: CustomEvent<Policies>) => void this.policies.load(() => Promise.resolve(event.detail))}
              @outdated=${() => void this.policies.load(() => this.ctx.api.policies())}
            ></bb-policy-editor>
            ${this.rules(found)} ${this.people(found)}`
        : this.policies.error
          ? nothing
          : loading(t("status.loading"))}
      ${this.form()}
    </div>`;
  }

  private file(found: Policies): TemplateResult {
    const { t, format } = this.ctx;
    const { error } = found;
    return html`<section class="card stack" data-test="policies-file">
      <div class="row spread">
        <h3 class="wrap">${t("policies.where")}</h3>
        <button
          class="button"
          type="button"
          data-test="policies-reload"
          ?disabled=${this.policies.isLoading}
          @click=${() => void this.policies.load(() => this.ctx.api.reloadPolicies())}
        >
          ${icon("refresh", 18)} ${t("policies.reload")}
        </button>
      </div>
      <p class="row">
        <code class="wrap" data-test="policies-path">${found.path}</code>
        <bb-copy .ctx=${this.ctx} .text=${found.path}></bb-copy>
      </p>
      ${found.exists ? nothing : html`<p class="muted">${t("policies.empty")}</p>`}
      ${error
        ? alert(
            html`<b>
                ${t("policies.broken", { file: error.file ?? found.file, line: error.line ?? "–" })}
              </b>
              <div data-test="policies-error">${error.reason ?? ""}</div>`,
            "error",
          )
        : nothing}
      ${found.is_changed ? alert(t("policies.changed"), "warning") : nothing}
      ${found.locked_until
        ? alert(t("policies.locked", { when: format.time(found.locked_until) }), "warning")
        : nothing}
    </section>`;
  }

  private rules(found: Policies): TemplateResult | typeof nothing {
    const { t } = this.ctx;
    if (!found.rules.length) {
      return found.exists && !found.error
        ? html`<div class="card">${empty(t("policies.no_rules"))}</div>`
        : nothing;
    }
    return html`<section class="card stack">
      <h3>${t("policies.rules")}</h3>
      <ol class="list">
        ${found.rules.map((rule) => this.rule(rule))}
      </ol>
    </section>`;
  }

  private rule(rule: PolicyRule): TemplateResult {
    const { t, label, language } = this.ctx;
    const found = conditions(rule.match);
    const reason = rule.reason?.[language] ?? rule.reason?.[""] ?? rule.reason?.["en"];
    return html`<li class="stack tight" data-test="rule">
      <div class="row">
        ${chip(label("effect", rule.effect), toneOfEffect(rule.effect))} <b>${rule.name}</b>
        ${rule.require ? chip(t("policies.needs_code"), "warning") : nothing}
      </div>
      ${found.length
        ? html`<p>${label("rule_effect", rule.effect)}</p>
          <dl class="facts">
            ${found.map(
              ({ path, values }) => html`<dt>
                  ${path
                    .map((name, index) =>
                      label(path[index - 1] === "parameters" ? "parameter" : "match", name),
                    )
                    .join(" · ")}
                </dt>
                <dd>${values.map((value) => this.value(path, value)).join(", ")}</dd>`,
            )}
          </dl>`
        : html`<p class="muted">${t("policies.everything")}</p>`}
      ${rule.to
        ? html`<p>
            ${Object.entries(rule.to).map(
              ([name, { min, max }]) => html`<span>
                ${label("parameter", name)}: ${min ?? "…"} – ${max ?? "…"}
              </span>`,
            )}
          </p>`
        : nothing}
      ${reason ? html`<p class="small muted">${this.ctx.t("label.quoted", { text: reason })}</p>` : nothing}
    </li>`;
  }

  private value(path: readonly string[], value: string): string {
    const name = path.at(-1) ?? "";
    if (name === "weekdays") return this.ctx.format.weekday(value);
    if (WORDED.includes(name)) return this.ctx.label("match_value", value);
    return path.includes("time") ? value.replace(/^(\d\d:\d\d):00$/, "$1") : value;
  }

  private people(found: Policies): TemplateResult | typeof nothing {
    const { t } = this.ctx;
    const persons = Object.entries(found.persons);
    if (!found.codes.length && !persons.length) return nothing;
    return html`<section class="card stack tight">
      <h3>${t("policies.people")}</h3>
      <dl class="facts">
        ${found.codes.length
          ? html`<dt>${t("policies.codes")}</dt>
              <dd>${found.codes.join(", ")}</dd>`
          : nothing}
        ${persons.map(
          ([name, satellites]) => html`<dt>${name}</dt>
            <dd>${satellites.join(", ") || "–"}</dd>`,
        )}
      </dl>
    </section>`;
  }

  private form(): TemplateResult {
    const { t, users } = this.ctx;
    const services = this.ctx.hass().services ?? {};
    const actions = Object.entries(services).flatMap(([domain, names]) =>
      domain in (this.choices.data?.domains ?? {})
        ? Object.keys(names).map((name) => `${domain}.${name}`)
        : [],
    );
    return html`<form class="card stack" @submit=${this.submit}>
      <h3>${t("policies.try")}</h3>
      <div class="fields">
        <label class="field">
          <span>${t("label.action")}</span>
          <input
            type="text"
            required
            list="actions"
            autocomplete="off"
            .value=${this.action}
            data-test="policy-action"
            @input=${(event: Event) => (this.action = valueOf(event))}
          />
          <datalist id="actions">
            ${actions.map((action) => html`<option value=${action}></option>`)}
          </datalist>
        </label>
        <label class="field">
          <span>${t("label.person")}</span>
          <select
            data-test="policy-user"
            @change=${(event: Event) => (this.user = valueOf(event))}
          >
            <option value="">${t("try.nobody")}</option>
            ${users.map((each) => html`<option value=${each.id}>${each.name ?? each.id}</option>`)}
          </select>
        </label>
        <label class="field">
          <span>${t("label.room")}</span>
          <select
            data-test="policy-area"
            @change=${(event: Event) => (this.area = valueOf(event))}
          >
            <option value="">${t("try.nowhere")}</option>
            ${areasOf(this.ctx).map((each) => html`<option value=${each.id}>${each.name}</option>`)}
          </select>
        </label>
      </div>
      ${this.choices.error ? alert(this.choices.error, "error") : nothing}
      <bb-devices
        .ctx=${this.ctx}
        .devices=${this.choices.data?.devices ?? []}
        .chosen=${this.targets}
        data-test="policy-devices"
        @chosen=${(event: CustomEvent<string[]>) => (this.targets = event.detail)}
      ></bb-devices>
      <label class="field">
        <span>${t("policies.data")}</span>
        <textarea
          class="code"
          rows="3"
          .value=${this.data}
          spellcheck="false"
          data-test="policy-data"
          @input=${(event: Event) => (this.data = valueOf(event))}
        ></textarea>
      </label>
      ${this.fault ? alert(this.fault, "error") : nothing}
      ${this.verdicts.error ? alert(this.verdicts.error, "error") : nothing}
      <div>
        <button class="button primary" type="submit" data-test="policy-try">
          ${t("policies.ask")}
        </button>
      </div>
      ${this.verdicts.data ? this.answer(this.verdicts.data) : nothing}
    </form>`;
  }

  private answer(verdicts: Verdict[]): TemplateResult {
    const { t, label, format } = this.ctx;
    return html`<div role="status" data-test="policy-verdicts"><ul class="list">
      ${verdicts.map(
        (verdict) => html`<li>
          <div class="row">
            ${chip(label("effect", verdict.effect), toneOfEffect(verdict.effect))}
            <b>${verdict.rule || t("policies.no_rule")}</b>
            ${verdict.needs_code ? chip(t("policies.needs_code"), "warning") : nothing}
          </div>
          ${verdict.names?.length ? html`<p>${format.list(verdict.names)}</p>` : nothing}
          ${verdict.reason ? html`<p class="muted">${verdict.reason}</p>` : nothing}
          <pre tabindex="0">${JSON.stringify({ action: verdict.action, data: verdict.data }, null, 2)}</pre>
        </li>`,
      )}
      ${verdicts.length ? nothing : html`<li>${t("policies.no_rule")}</li>`}
    </ul></div>`;
  }

  private readonly submit = (event: Event): void => {
    event.preventDefault();
    const { api, t } = this.ctx;
    this.fault = null;
    let data: unknown;
    try {
      data = JSON.parse(this.data.trim() || "{}");
    } catch (error) {
      this.fault = t("policies.no_json", { reason: wordsOfJson(error) });
      return;
    }
    if (typeof data !== "object" || data === null || Array.isArray(data)) {
      this.fault = t("policies.no_json", { reason: "{…}" });
      return;
    }
    void this.verdicts.load(() =>
      api.tryPolicies({
        action: this.action.trim(),
        entity_ids: this.targets,
        data: data as Record<string, unknown>,
        user_id: this.user || null,
        area_id: this.area || null,
      }),
    );
  };
}

function wordsOfJson(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
