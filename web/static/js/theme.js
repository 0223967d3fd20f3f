// Light or dark: as the system has it until a person chooses.

import { $ } from "./dom.js";
import { recall, remember } from "./memory.js";
import { language, t } from "./words.js";

const chosen = recall("theme");
if (chosen) document.documentElement.dataset.theme = chosen;

$("theme")?.addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  remember("theme", document.documentElement.dataset.theme);
});

/** The page comes anew in the language that is chosen. */
function speak() {
  document.cookie = `lang=${$("lang").value}; path=/; max-age=31536000; samesite=lax`;
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  location.replace(here);
}

$("lang")?.addEventListener("change", speak);
if ($("lang") && $("lang").value !== language) speak();   // chosen before this script had come

const LINES = { live: t("Live"), stale: t("Connection lost: reconnecting"), wait: t("Connecting") };

/** Shows how fresh the page is. */
export function showLine(line) {
  const mark = $("line");
  if (!mark) return;
  mark.dataset.line = line;
  mark.textContent = LINES[line] ?? line;
  document.body.classList.toggle("stale", line === "stale");
}
