/**
 * Shows the page without Home Assistant, with made-up turns. What the address asks for:
 *   ?dark  ?lang=de  ?narrow  ?empty (nothing was said yet)  ?fail (all commands fail)  ?flood=50 (turns per second)
 *   ?words=none (what was said is hidden)
 */

import "../src/panel";
import { mockHass } from "./mock";

const wanted = new URLSearchParams(location.search);
document.documentElement.classList.toggle("dark", wanted.has("dark"));

const panel = document.createElement("bellboard-panel") as HTMLElement & Record<string, unknown>;
const hass = mockHass({
  language: wanted.get("lang") ?? "en",
  isEmpty: wanted.has("empty"),
  isFailing: wanted.has("fail"),
  hasWords: wanted.get("words") !== "none",
  perSecond: Number(wanted.get("flood") ?? 0),
});

function route(): void {
  const path = location.pathname.replace(/^\/bellboard/, "");
  panel["route"] = { prefix: "/bellboard", path };
}

const narrow = matchMedia("(max-width: 870px)");
const fit = () => (panel["narrow"] = wanted.has("narrow") || narrow.matches);
narrow.addEventListener("change", fit);
fit();
route();
window.addEventListener("location-changed", route);
window.addEventListener("popstate", route);
window.addEventListener("hass-toggle-menu", () => document.body.classList.toggle("menu"));
window.addEventListener("hass-notification", (event) => {
  const toast = document.createElement("div");
  toast.id = "toast";
  toast.setAttribute("role", "status");
  toast.textContent = (event as CustomEvent<{ message: string }>).detail.message;
  document.body.append(toast);
  setTimeout(() => toast.remove(), 3000);
});
panel["hass"] = hass;
document.body.append(panel);

// As in Home Assistant, where each state that changes makes a new object.
setInterval(() => (panel["hass"] = { ...hass }), 1000);
