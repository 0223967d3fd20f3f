// What the referee asks: the question, the picture it asks about, the likely answers. A die in doubt is shown enlarged.

import { h, keep, $ } from "./dom.js";
import { t } from "./words.js";

const ZOOM = 9;   // a die's surroundings are this much smaller than the picture

/** The answers' words. A throw in doubt is asked as what is to be seen: the die is flat, or it is cocked. */
function words(doubt, answer) {
  if (doubt.about !== "throw" || doubt.code !== "throw_unsure") return answer.text;
  if (answer.code === "rolled") return t("Flat: {dice}", { dice: answer.text });
  return answer.code === "does_not_count" ? t("Cocked: throw again") : answer.text;
}

/** A part of the picture round each die in doubt, places as shares of the picture. */
function enlarged(src, dice) {
  return h("div", { class: "enlarged" }, dice.map(([x, y]) => {
    const image = h("img", { src, alt: t("The die in doubt, enlarged") });
    image.style.width = `${ZOOM * 100}%`;
    image.onload = () => {
      // the die in the middle of its frame, but never beyond the picture's edge
      const share = image.parentElement.clientHeight / image.clientHeight;
      const to = (at, part) => Math.min(Math.max(at - part / 2, 0), 1 - part);
      image.style.transform = `translate(${-100 * to(x, 1 / ZOOM)}%, ${-100 * to(y, share)}%)`;
    };
    return h("div", { class: "die-view" }, image);
  }));
}

/** Draws the open question; `answer` is called with the number of the one chosen, or null for none. */
export function showQuestion(state, answer) {
  const { doubt, match } = state;
  keep($("questions"), doubt, () => {
    if (!doubt) return null;
    const src = `/api/v1/matches/${match}/pictures/${doubt.seq}.jpg`;
    const dice = doubt.picture && doubt.about === "throw" ? doubt.dice : [];   // of other questions the picture shows a later throw
    return h("section", { class: "card question", "aria-label": t("Question") },
      h("h2", {}, t("The referee asks")),
      h("p", {}, doubt.text),
      dice.length ? enlarged(src, dice) : doubt.picture ? h("img", { src, alt: t("The picture it asks about"), loading: "lazy" }) : null,
      h("div", { class: "answers" },
        doubt.answers.map((one, i) => h("button", { type: "button", id: `answer-${doubt.seq}-${i}`, onclick: () => answer(i) }, words(doubt, one))),
        h("button", { type: "button", class: "bare", id: `answer-${doubt.seq}-none`, onclick: () => answer(null) }, t("None of these: put it right by hand"))));
  });
}
