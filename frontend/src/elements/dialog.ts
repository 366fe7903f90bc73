/** A dialog: Esc and the button in its corner close it, and the focus goes back to where it was. */

import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";

import { icon } from "./icon";
import { shared } from "./styles";

@customElement("bb-dialog")
export class BbDialog extends LitElement {
  @property({ type: Boolean }) open = false;
  @property() heading = "";
  /** What the button that closes it is called. */
  @property() closing = "";

  @query("dialog") private dialog!: HTMLDialogElement;

  private opener: HTMLElement | null = null;

  static override styles = [
    shared,
    css`
      dialog {
        color: var(--bb-text);
        background: var(--bb-card);
        border: 1px solid var(--bb-line);
        border-radius: var(--ha-dialog-border-radius, 24px);
        padding: 0;
        inline-size: min(640px, calc(100vw - 32px));
        max-block-size: calc(100dvh - 48px);
        overflow: hidden;
      }
      dialog[open] {
        display: flex;
        flex-direction: column;
      }
      dialog::backdrop {
        background: #0008;
      }
      .head {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 12px 12px 8px 24px;
      }
      .head h2 {
        flex: 1;
        margin: 0;
      }
      .content {
        padding: 8px 24px 16px;
        overflow: auto;
        flex: 1;
        min-block-size: 0;
      }
      .foot {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
        padding: 8px 24px 16px;
      }
      @media (max-width: 500px) {
        dialog {
          inline-size: 100vw;
          max-inline-size: 100vw;
          block-size: 100dvh;
          max-block-size: 100dvh;
          border: 0;
          border-radius: 0;
          margin: 0;
        }
        .head {
          padding-inline-start: 16px;
        }
        .content,
        .foot {
          padding-inline: 16px;
        }
        :host([small]) dialog {
          inline-size: calc(100vw - 32px);
          block-size: auto;
          margin: auto;
          border-radius: 24px;
        }
      }
    `,
  ];

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("open")) return;
    if (this.open && !this.dialog.open) {
      this.opener = focused();
      this.dialog.showModal();
    } else if (!this.open && this.dialog.open) {
      this.dialog.close();
    }
  }

  protected override render(): TemplateResult {
    return html`<dialog
      aria-labelledby="heading"
      @close=${this.closed}
      @click=${this.clicked}
      data-test="dialog"
    >
      <div class="head">
        <h2 id="heading">${this.heading}</h2>
        <button
          class="icon-button"
          type="button"
          aria-label=${this.closing}
          data-test="dialog-close"
          @click=${() => this.dialog.close()}
        >
          ${icon("close", 24)}
        </button>
      </div>
      <div class="content"><slot></slot></div>
      <div class="foot"><slot name="actions"></slot></div>
    </dialog>`;
  }

  private closed(event: Event): void {
    // The dialog's own event does not leave this element; who shows the dialog hears of this one.
    event.stopPropagation();
    this.open = false;
    const { opener } = this;
    this.opener = null;
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    this.dispatchEvent(new CustomEvent("closed"));
  }

  private clicked(event: MouseEvent): void {
    if (event.target !== this.dialog) return;
    const { left, right, top, bottom } = this.dialog.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) this.dialog.close();
  }
}

/** Returns the element with the focus, also where it is inside others. */
function focused(): HTMLElement | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  return found instanceof HTMLElement ? found : null;
}

declare global {
  interface HTMLElementTagNameMap {
    "bb-dialog": BbDialog;
  }
}
