/** Base of the page's elements, and what most of them do: ask for something and show it, or what went wrong. */

import {
  LitElement,
  type PropertyValues,
  type ReactiveController,
  type ReactiveControllerHost,
} from "lit";
import { property } from "lit/decorators.js";

import type { Context } from "../context";
import { wordsOf } from "../ha";
import { shared } from "./styles";

export abstract class BbElement extends LitElement {
  static override styles = [shared];

  @property({ attribute: false }) ctx!: Context;
}

/** View of one assistant: it is made ready at first, and again when another is chosen. */
export abstract class AssistantView extends BbElement {
  private shownAssistant = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("ctx") || this.ctx.assistant.id === this.shownAssistant) return;
    this.shownAssistant = this.ctx.assistant.id;
    this.prepare();
  }

  protected abstract prepare(): void;
}

/** Asks for something; what is asked for last counts. */
export class Loader<T> implements ReactiveController {
  data: T | undefined;
  error: string | null = null;
  isLoading = false;

  private run = 0;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.run++;
  }

  /** Returns what came, undefined where that failed or something else was asked for since. */
  async load(ask: () => Promise<T>): Promise<T | undefined> {
    const run = ++this.run;
    this.isLoading = true;
    this.error = null;
    this.host.requestUpdate();
    try {
      const data = await ask();
      if (run !== this.run) return undefined;
      this.data = data;
      return data;
    } catch (error) {
      if (run === this.run) this.error = wordsOf(error);
      return undefined;
    } finally {
      if (run === this.run) {
        this.isLoading = false;
        this.host.requestUpdate();
      }
    }
  }

  clear(): void {
    this.run++;
    this.data = undefined;
    this.error = null;
    this.isLoading = false;
    this.host.requestUpdate();
  }
}

/** Gives the value of a native field that changed. */
export function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value;
}

export function isChecked(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}
