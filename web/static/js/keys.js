// The keys of the table page, told behind the "?" key.

import { inform } from "./dialog.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const KEYS = [
  ["1 – 6", t("enter the dice; in the opening first the near player’s")],
  ["b", t("go to the board; arrow keys walk over its points, Enter picks a checker up and puts it down")],
  ["a", t("go to the answers, when the referee asks")],
  ["Enter", t("play what has been put together")],
  ["Backspace", t("take a move back")],
  ["/", t("type the play")],
  ["n", t("nothing can be played")],
  ["o", t("correct the dice, or the play once it is made")],
  ["d", t("double")], ["t", t("take")], ["p", t("drop")],
  ["r", t("resign")],
  ["c", t("press the clock")],
  ["u", t("undo")],
  ["Esc", t("leave what was begun")],
  ["Tab", t("go to every button")],
];

export const showKeys = () => inform(t("Keys"), h("dl", { class: "keys" }, KEYS.map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])));
