// Light or dark: as the system has it until a person chooses.

import { $ } from "./dom.js";

const chosen = localStorage.getItem("theme");
if (chosen) document.documentElement.dataset.theme = chosen;

$("theme")?.addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
});

const LINES = { live: "Live", stale: "Stale: reconnecting", full: "Waiting for a place" };

/** Shows how fresh the page is. */
export function showLine(line) {
  const mark = $("line");
  if (!mark) return;
  mark.dataset.line = line;
  mark.textContent = LINES[line] ?? line;
  document.body.classList.toggle("stale", line !== "live");
}
