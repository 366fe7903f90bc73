/** The page: its head, its tabs, and the view that its path names. */

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";

import { Api } from "./api/client";
import type { Assistant, User } from "./api/models";
import type { Context, Memory } from "./context";
import { icon } from "./elements/icon";
import { alert, empty, loading } from "./elements/parts";
import { shared, theme } from "./elements/styles";
import { Format } from "./format";
import { type Connection, type Hass, type Route, wordsOf } from "./ha";
import { languageOf, loadLanguage, type Localize } from "./i18n";
import { pathOf, type Place, placeOf, type View, VIEWS } from "./routes";
import { TurnFeed } from "./turns/feed";
import { NO_FILTER, PAGE } from "./turns/filter";

/** Where the browser keeps which assistant was chosen last. */
const CHOSEN = "bellboard-assistant";
/** Milliseconds until one looks again for assistants, where there are none yet. */
const RETRY = 5000;

/** Modules of the views, loaded when one is looked at. */
const LOADERS: Record<View | "turn", () => Promise<unknown>> = {
  turns: () => import("./views/turns"),
  turn: () => import("./views/turn"),
  try: () => import("./views/try"),
  evaluation: () => import("./views/evaluation"),
  learned: () => import("./views/learned"),
  agents: () => import("./views/agents"),
  policies: () => import("./views/policies"),
  health: () => import("./views/health"),
};

/** Home Assistant gives a new object with each state that changes; few of these matter to the page as a whole. */
function matters(now: Hass | undefined, before: Hass | undefined): boolean {
  return (
    now?.language !== before?.language ||
    now?.locale !== before?.locale ||
    now?.areas !== before?.areas ||
    now?.user !== before?.user ||
    now?.connected !== before?.connected ||
    now?.dockedSidebar !== before?.dockedSidebar ||
    now?.connection !== before?.connection ||
    now?.services?.["bellboard"] !== before?.services?.["bellboard"]
  );
}

@customElement("bellboard-panel")
export class BellboardPanel extends LitElement {
  @property({ attribute: false, hasChanged: matters }) hass?: Hass;
  @property({ type: Boolean, reflect: true }) narrow = false;
  @property({ attribute: false }) route?: Route;
  @property({ attribute: false }) panel?: unknown;

  @state() private localize: Localize | null = null;
  @state() private assistants: readonly Assistant[] | null = null;
  @state() private users: readonly User[] = [];
  @state() private chosen = localStorage.getItem(CHOSEN) ?? "";
  @state() private error: string | null = null;
  @state() private ready: ReadonlySet<string> = new Set();
  /** Names of views whose module could not be loaded. */
  @state() private missing: ReadonlySet<string> = new Set();

  private readonly api = new Api(() => this.hass as Hass);
  private readonly feed = new TurnFeed(this.api);
  private readonly memory: Memory = {
    filter: NO_FILTER,
    shown: PAGE,
    scroll: 0,
    last_turn: null,
    draft: null,
    policies: null,
  };
  private connection: Connection | null = null;
  private ctx: Context | null = null;
  private tabInSight = "";
  private retry = 0;

  static override styles = [
    shared,
    theme,
    css`
      :host {
        min-block-size: 100vh;
        background: var(--bb-page);
        container: page / inline-size;
      }
      header {
        position: sticky;
        inset-block-start: 0;
        z-index: 4;
      }
      .toolbar {
        display: flex;
        align-items: center;
        gap: 8px;
        min-block-size: var(--header-height, 56px);
        padding: var(--safe-area-inset-top, 0) 16px 0;
        background: var(--app-header-background-color, var(--bb-accent));
        color: var(--app-header-text-color, var(--text-primary-color, #fff));
      }
      :host([narrow]) .toolbar {
        padding-inline-start: 4px;
      }
      h1 {
        margin: 0;
        font-size: var(--ha-font-size-xl, 20px);
        font-weight: 700;
        line-height: 1.2;
      }
      .toolbar :focus-visible {
        outline-color: currentColor;
      }
      .tabs {
        display: flex;
        overflow-x: auto;
        scrollbar-width: none;
        background: var(--bb-card);
        border-block-end: 1px solid var(--bb-line);
        padding-inline: 8px;
      }
      .tabs::-webkit-scrollbar {
        display: none;
      }
      .tab {
        flex: none;
        min-block-size: 48px;
        padding: 0 14px;
        border: 0;
        border-block-end: 3px solid transparent;
        background: none;
        color: var(--bb-text);
        font-weight: 500;
      }
      .tab[aria-selected="true"] {
        border-block-end-color: var(--bb-accent);
      }
      .tab:focus-visible {
        outline-offset: -3px;
      }
      .tab:hover {
        background: color-mix(in srgb, var(--bb-text) 5%, transparent);
      }
      main {
        max-inline-size: 1100px;
        margin: 0 auto;
        padding: 16px 16px calc(24px + var(--safe-area-inset-bottom, 0px));
      }
      @container page (max-width: 500px) {
        main {
          padding-inline: 8px;
        }
        .tabs {
          padding-inline: 0;
        }
      }
      .lost {
        margin-block-end: 16px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hass) this.connect(this.hass.connection);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.disconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { hass } = this;
    if (!hass) return;
    if (changed.has("hass")) {
      if (this.isConnected) this.connect(hass.connection);
      if (this.localize?.language !== languageOf(hass.language)) void this.loadWords(hass.language);
    }
    void this.loadView();
    const relevant = ["hass", "localize", "assistants", "users", "chosen"];
    if ([...changed.keys()].some((name) => relevant.includes(String(name)))) {
      this.ctx = this.makeContext(hass);
    }
  }

  /** Keeps the tab in sight whose view is shown. */
  protected override updated(): void {
    const selected = this.renderRoot.querySelector<HTMLElement>('.tab[aria-selected="true"]');
    const tabs = selected?.parentElement;
    if (!selected || !tabs || selected.id === this.tabInSight) return;
    this.tabInSight = selected.id;
    const { offsetLeft, offsetWidth } = selected;
    tabs.scrollLeft = offsetLeft - (tabs.clientWidth - offsetWidth) / 2;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.localize) return nothing;
    const t = this.localize.text;
    const place = this.place;
    const isSidebarHidden = this.narrow || this.hass?.dockedSidebar === "always_hidden";
    return html`<header>
        <div class="toolbar">
          ${isSidebarHidden
            ? html`<button
                class="icon-button"
                type="button"
                aria-label=${t("header.menu")}
                data-test="menu"
                @click=${this.toggleMenu}
              >
                ${icon("menu", 24)}
              </button>`
            : nothing}
          <h1>Bellboard</h1>
        </div>
        <div class="tabs" role="tablist" aria-label=${t("header.views")} @keydown=${this.move}>
          ${VIEWS.map(
            (view) => html`<button
              class="tab"
              type="button"
              role="tab"
              id="tab-${view}"
              aria-selected=${view === place.view}
              aria-controls="view"
              tabindex=${view === place.view ? 0 : -1}
              data-test="tab-${view}"
              @click=${() => this.navigate(view)}
            >
              ${t(`tab.${view}`)}
            </button>`,
          )}
        </div>
      </header>
      <main>
        <div
          id="view"
          role="tabpanel"
          aria-labelledby="tab-${place.view}"
          data-test="view-${place.turn ? "turn" : place.view}"
        >
          ${place.turn
            ? nothing
            : html`<h2 class="visually-hidden">${t(`tab.${place.view}`)}</h2>`}
          ${this.hass?.connected === false
            ? html`<div class="lost">${alert(t("status.disconnected"), "warning")}</div>`
            : nothing}
          ${this.content(place)}
        </div>
      </main>`;
  }

  private content(place: Place): unknown {
    const t = (this.localize as Localize).text;
    if (this.error) {
      return alert(
        this.error,
        "error",
        html`<button class="button" type="button" @click=${this.loadAssistants}>
          ${t("action.again")}
        </button>`,
      );
    }
    const { ctx } = this;
    if (!this.assistants || !ctx) return loading(t("status.loading"));
    if (!this.assistants.length) {
      return html`<div class="card">${empty(t("status.no_assistant"))}</div>`;
    }
    if (this.missing.has(moduleOf(place))) {
      return alert(
        t("status.outdated"),
        "warning",
        html`<button class="button" type="button" @click=${() => window.location.reload()}>
          ${t("action.reload")}
        </button>`,
      );
    }
    if (!this.ready.has(moduleOf(place))) return loading(t("status.loading"));
    if (place.turn) return html`<bb-turn .ctx=${ctx} turn_id=${place.turn}></bb-turn>`;
    switch (place.view) {
      case "turns":
        return html`<bb-turns .ctx=${ctx}></bb-turns>`;
      case "try":
        return html`<bb-try .ctx=${ctx}></bb-try>`;
      case "evaluation":
        return html`<bb-evaluation .ctx=${ctx}></bb-evaluation>`;
      case "learned":
        return html`<bb-learned .ctx=${ctx}></bb-learned>`;
      case "agents":
        return html`<bb-agents .ctx=${ctx}></bb-agents>`;
      case "policies":
        return html`<bb-policies .ctx=${ctx}></bb-policies>`;
      case "health":
        return html`<bb-health .ctx=${ctx}></bb-health>`;
    }
  }

  private get place(): Place {
    return placeOf(this.route?.path ?? "");
  }

  private makeContext(hass: Hass): Context | null {
    const { localize, assistants } = this;
    const assistant = assistants?.find((each) => each.id === this.chosen) ?? assistants?.[0];
    if (!localize || !assistants || !assistant) return null;
    const locale = hass.locale ?? { language: hass.language };
    return {
      hass: () => this.hass as Hass,
      api: this.api,
      t: localize.text,
      label: localize.label,
      language: localize.language,
      format: new Format({ ...locale, language: locale.language || hass.language }, hass.config?.time_zone),
      feed: this.feed,
      assistants,
      assistant,
      users: this.users,
      memory: this.memory,
      choose: this.choose,
      navigate: this.navigate,
      address: this.address,
      notify: this.notify,
    };
  }

  private connect(connection: Connection): void {
    if (this.connection === connection) return;
    this.disconnect();
    this.connection = connection;
    connection.addEventListener("ready", this.loadAssistants);
    this.feed.start(connection);
    void this.loadAssistants();
    void this.loadUsers();
  }

  private disconnect(): void {
    this.connection?.removeEventListener("ready", this.loadAssistants);
    this.connection = null;
    window.clearTimeout(this.retry);
    this.feed.stop();
  }

  private readonly loadAssistants = async (): Promise<void> => {
    window.clearTimeout(this.retry);
    try {
      this.assistants = await this.api.assistants();
      this.error = null;
    } catch (error) {
      // While the connection is lost, what is shown stays.
      if (!this.assistants?.length) this.error = wordsOf(error);
    }
    // Right after a start, Bellboard may not be set up yet.
    if (!this.assistants?.length && this.connection) {
      this.retry = window.setTimeout(() => void this.loadAssistants(), RETRY);
    }
  };

  private async loadUsers(): Promise<void> {
    try {
      this.users = await this.api.users();
    } catch {
      // Only their names are missing then: ids stand in their place, and oneself can be chosen.
      this.users = [];
    }
  }

  private async loadWords(language: string): Promise<void> {
    try {
      this.localize = await loadLanguage(language);
      this.error = null;
    } catch (error) {
      this.error = wordsOf(error);
    }
  }

  private async loadView(): Promise<void> {
    const name = moduleOf(this.place);
    if (this.ready.has(name) || this.missing.has(name)) return;
    try {
      await LOADERS[name]();
      this.ready = new Set(this.ready).add(name);
    } catch (error) {
      console.warn("Bellboard: a part of the page could not be loaded", error);
      this.missing = new Set(this.missing).add(name);
    }
  }

  private readonly choose = (assistantId: string): void => {
    this.chosen = assistantId;
    localStorage.setItem(CHOSEN, assistantId);
  };

  private readonly address = (view: View, turn?: string): string =>
    `${this.route?.prefix ?? "/bellboard"}${pathOf(view, turn)}`;

  private readonly navigate = (view: View, turn?: string): void => {
    const path = this.address(view, turn);
    if (path === window.location.pathname) return;
    history.pushState(null, "", path);
    // Home Assistant then gives the page its new route.
    window.dispatchEvent(new CustomEvent("location-changed", { detail: { replace: false } }));
  };

  private readonly notify = (message: string): void => {
    this.dispatchEvent(
      new CustomEvent("hass-notification", { detail: { message }, bubbles: true, composed: true }),
    );
  };

  private readonly toggleMenu = (): void => {
    this.dispatchEvent(new CustomEvent("hass-toggle-menu", { bubbles: true, composed: true }));
  };

  /** The arrow keys go from tab to tab; Enter or Space opens the one with the focus. */
  private readonly move = (event: KeyboardEvent): void => {
    const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".tab")];
    const at = tabs.indexOf(event.target as HTMLElement);
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    tabs[to]?.focus();
  };
}

function moduleOf(place: Place): View | "turn" {
  return place.turn ? "turn" : place.view;
}
