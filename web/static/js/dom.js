// Small helpers to make elements. Text is always set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, String(value));
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (id) => document.getElementById(id);

/** `text` with dice, scores and points that no end of a line parts: "6-5", "10–9", "13-point". */
export const unbroken = (text) => text.split(/(\b\d+[-–](?:\d+|[a-z]{1,8})\b)/).map((part, i) => (i % 2 ? h("span", { class: "unbroken" }, part) : part));

/** Sets text only when it differs, so that live regions do not speak twice. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** The focus stays where a control was that is gone, so that the next Tab goes on from there and not from the top of the page. */
export function stayIn(element) {
  if (!element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Replaces children only when `key` differs from the last time, so that focus and half-typed input survive updates. */
export function keep(element, key, make) {
  const wanted = JSON.stringify(key);
  if (element.dataset.key === wanted) return;
  const before = element.contains(document.activeElement) ? document.activeElement : null;
  const [id, typed, from, to] = [before?.id, before?.type === "text" ? before.value : "", before?.selectionStart, before?.selectionEnd];
  element.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
  element.dataset.key = wanted;
  const after = id ? document.getElementById(id) : null;
  if (before && !after) stayIn(element);
  else if (after !== document.activeElement) after?.focus({ preventScroll: true });   // it was there before, and what is pressed next moves not away
  if (typed && after?.value === typed) after.setSelectionRange(from, to);   // whoever made it knows what is typed there, and of what
}

/** Shows `element` or hides it; hidden, its fields are none of the form's: nobody could mend what he does not see. */
export function show(element, on) {
  element.hidden = !on;
  for (const input of element.querySelectorAll("input, select")) input.disabled = !on;
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A player's name that its line does not hold is written smaller, and shortened only where that is not enough. */
export function fitNames() {
  for (const name of document.querySelectorAll(".player .name")) {
    name.classList.remove("long");
    name.classList.toggle("long", name.scrollWidth > name.clientWidth);
  }
}
