/** Copies texts, also where Home Assistant is reached without https and the browser has no clipboard for pages. */

export async function copyText(text: string, within: ShadowRoot | HTMLElement): Promise<boolean> {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed by the user or the browser: the older way may be.
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position:fixed;inset-block-start:0;opacity:0";
  field.setAttribute("aria-hidden", "true");
  within.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

/** Lets the browser save a text as a file. */
export function download(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  const url = URL.createObjectURL(new Blob([text], { type }));
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to begin before the address goes.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
