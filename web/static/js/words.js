// The page's language: English sentences are the keys of the catalogue that the server put into the page.

const found = document.getElementById("words");
const texts = found ? JSON.parse(found.textContent) : {};

export const language = document.documentElement.lang || "en";

document.documentElement.dataset.runs = "";   // every page's scripts need these words, and all run or none: see started.js

/** `text` in the page's language, with its {blanks} filled. */
export function t(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (blank, name) => values[name] ?? blank);
}

/** The sentence for one or for many, with {n} filled. */
export const tn = (n, one, many) => t(n === 1 ? one : many, { n });

/** A number with so many digits behind the point, as the page's language writes it. */
export const decimal = (n, digits) => n.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
