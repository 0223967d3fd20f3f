// The set-up page: the camera, the board and the tray it finds, then the match.

import { get, refusal } from "./api.js";
import { $, h, say } from "./dom.js";
import { Live } from "./live.js";
import { matchForm } from "./matchform.js";
import { Picture } from "./picture.js";
import { act } from "./pin.js";
import { Quad } from "./quad.js";
import { showLine } from "./theme.js";
import { t } from "./words.js";

const BOARD = { said: t("Drag the corners to those of the playing field."),
  start: [[.2, .15], [.8, .15], [.85, .85], [.15, .85]], button: "corners", use: "use-corners",
  names: [t("Far left corner"), t("Far right corner"), t("Near right corner"), t("Near left corner")] };
const TRAY = { said: t("Drag the corners round the tray in which the dice come to rest."),
  start: [[.86, .3], [.96, .3], [.96, .7], [.86, .7]], button: "tray", use: "use-tray",
  names: [t("Tray, upper left"), t("Tray, upper right"), t("Tray, lower right"), t("Tray, lower left")] };
const OPENING = 90000;   // ms: a network camera that says nothing is given up after half a minute, one whose first picture stays away after another

const AGAIN = 3000;      // ms before what could not be had is asked for again

let state = null;
let seen = null;         // the camera's last status
let refused = "";        // why what was pressed last was refused: each picture that comes would take that away
let drawing = null;      // BOARD or TRAY while a person shows corners
const quad = new Quad($("preview"), $("handles"));
const whole = new Picture($("whole"));
const fixed = $("camera").classList.contains("fixed");   // the demo's camera stays
$("whole").addEventListener("load", () => $("preview").classList.add("seen"));

/** `counts`: whether what comes of it still matters by then; else why it was refused is not said. */
async function tell(path, body, patience, counts = () => true) {
  refused = "";
  try {
    return await act(path, body, "POST", patience);
  } catch (error) {
    const { message } = refusal(error);
    if (!counts()) return null;
    refused = message;
    say($("status"), message);
    return null;
  }
}

/** How the camera is: as the answer `now` says, unless the stream has told it since `before`, when that was asked for; the answer may be older. */
const newest = (before, now) => (seen === before ? { ...seen, ...now } : seen);

// the camera ------------------------------------------------------------------------------------------------------------

let choices = 0;   // made on this page

async function use(source) {
  $("phone").hidden = source !== "phone";
  $("other").hidden = true;
  say($("status"), source === null ? t("No camera: everything is entered by hand.") : t("Opening the camera…"));
  const before = seen, mine = ++choices;
  const now = await tell("camera", { source }, OPENING, () => mine === choices);
  if (now) camera(newest(before, now));
}

$("use-0").onclick = () => use("0");
$("use-phone").onclick = () => use("phone");
$("use-none").onclick = () => use(null);
$("use-other").onclick = () => { $("other").hidden = false; $("source").focus(); };
$("other").onsubmit = (event) => { event.preventDefault(); use($("source").value.trim()); };

/** A button for each camera the computer knows by name; what is lent already. Both are for people with the PIN. */
async function mayChoose() {
  const { rank } = await get("me");
  if (rank === "viewer") return;
  const { cameras } = fixed ? { cameras: [] } : await get("cameras");
  const first = $("use-0");
  if (cameras.length && !first.dataset.camera) {
    first.replaceWith(...cameras.map(({ source, name }, n) => h("button", { type: "button", id: `use-${n}`, "data-camera": source, onclick: () => use(source) }, name)));
    if (seen) chosen(seen);
  }
  if (rank !== "director") return;
  const now = await get("lending");
  if ($("lent").hidden) lent(now);   // an address that has just been made stays to be copied
}

const choose = () => mayChoose().catch(refusal);
addEventListener("rank", choose);

const mayLook = () => state?.audience !== "viewer";   // else no picture will come

const foundWords = () => (state?.started && state.phase !== "match_over" ? t("The board is found. Look whether the lines fit.")
  : t("The board is found. Look whether the lines fit, then start the match."));

/** Whether the camera sees dice large enough, and what to do where it does not. */
function dieWords(die) {
  if (!die) return "";
  return die.enough ? t("Dice are about {px} pixels wide: enough.", die)
    : t("Dice are about {px} pixels wide, fewer than 20: move the camera nearer, use 1920x1080, or zoom.", die);
}

/** Which of the cameras offered it is: another, where it is none of them. */
function chosen({ source }) {
  const offered = [...document.querySelectorAll(".choices button")].filter((one) => one !== $("use-other"));
  const camera = (one) => (one === $("use-none") ? null : one === $("use-phone") ? "phone" : one.dataset.camera ?? "0");
  const it = offered.find((one) => camera(one) === source) ?? $("use-other");
  for (const one of [...offered, $("use-other")]) one.setAttribute("aria-pressed", String(one === it));
}

/** What to do about the camera; while a person shows corners that, unless the camera sees nothing. */
function status() {
  if (seen.status === "none") return;
  const found = () => [foundWords(), dieWords(seen.die)].filter(Boolean).join(" ");
  say($("status"), refused || (drawing && seen.status !== "lost" ? drawing.said : seen.status === "watching" ? found() : seen.text));
}

function camera(now) {
  if (now.status !== seen?.status || now.source !== seen.source) refused = "";
  seen = now;
  chosen(now);
  const on = now.status !== "none";
  $("lending").hidden = !on;
  $("hint").hidden = !on || now.status === "ended";   // no other picture comes in which to look
  $("preview").hidden = $("aim").hidden = !on || !(now.picture || mayLook());
  for (const one of $("aim").querySelectorAll("button, select")) one.disabled = !now.picture;
  say($("hint"), now.board ? t("If the lines do not fit, look again or show the corners yourself.") : t("Set up the starting position; the referee finds the board by itself."));
  if (!now.board) draw(drawing === TRAY ? null : drawing);
  status();
  if (now.picture) whole.show(`/api/v1/whole.jpg?n=${now.picture}${now.tray ? `&tray=${now.tray}` : ""}`);
  tower(now);
}

// where the board and the tower's tray are --------------------------------------------------------------------------------

const nearAt = () => $("near-at").value || null;

/** Lets a person show the corners of `what`; null: no longer. */
function draw(what) {
  if (what === drawing) return;
  drawing = what;
  refused = "";
  if (what) {
    quad.show(what === TRAY && seen?.tray ? seen.tray : what.start, what.names);
    $("preview").scrollIntoView({ block: "center" });
  } else {
    quad.hide();
  }
  for (const one of [BOARD, TRAY]) {
    $(one.use).hidden = one !== what;
    $(one.button).setAttribute("aria-pressed", String(one === what));
  }
  status();
}

$("corners").onclick = () => draw(drawing === BOARD ? null : BOARD);
$("tray").onclick = () => draw(drawing === TRAY ? null : TRAY);
$("use-corners").onclick = async () => { if (await tell("board", { corners: quad.corners, near_at: nearAt() })) draw(null); };
$("use-tray").onclick = () => tray(quad.corners);
$("no-tray").onclick = () => tray(null);
$("again").onclick = () => tell("board", { near_at: nearAt() });
$("near-at").onchange = () => tell("board", { near_at: nearAt() });

async function tray(corners) {
  const before = seen;
  const now = await tell("tray", { corners });
  if (!now) return;
  draw(null);
  camera(newest(before, now));
}

function tower(now) {
  const box = now.tower;
  $("tower-part").hidden = !box && now.status === "none";
  $("tray").disabled = !now.board;
  $("no-tray").hidden = !now.tray;
  say($("tray"), now.tray ? t("Move the dice tray") : t("Draw the dice tray"));
  const drawn = t("Throws count in the tray that is drawn.");
  if (box?.status === "connected") {
    const rest = {
      field: t("Dice tower {device}: its dice come to rest on the board.", box),
      tray: t("Dice tower {device}: its dice come to rest in a tray.", box),
      inside: t("Dice tower {device}: its dice stay inside, and it reads them.", box),
    }[box.rest];
    const wanted = now.tray ? drawn : now.board ? t("Draw the tray: throws count there.") : t("Draw the tray when the board is found.");
    say($("tower"), box.rest === "tray" ? `${rest} ${wanted}` : rest);
  } else {
    const none = now.tray ? drawn : t("Dice that are thrown into a tray beside the board count there once it is drawn.");
    say($("tower"), box ? box.text || t("Looking for the dice tower.") : none);
  }
}

// lending the camera -------------------------------------------------------------------------------------------------------

function lent(now) {
  $("unlend").hidden = !now.lent;
  $("lent").hidden = !now.address;
  $("lent-at").value = now.address ?? "";
  say($("lend"), now.lent ? t("Make a new address") : t("Make the address"));
  say($("lent-text"), now.address ? t("It is shown this once; a new one ends it.") : now.lent ? t("An address has been made.") : t("The camera is not lent."));
}

let lending = Promise.resolve();

/** One after the other: each address ends the one before, and the one that is shown must be the last that was made. */
function lend(method) {
  lending = lending.catch(() => null).then(() => act("lending", method === "POST" ? {} : undefined, method))
    .then(lent, (error) => say($("lent-text"), refusal(error).message));
}

$("lend").onclick = () => lend("POST");
$("unlend").onclick = () => lend("DELETE");
$("copy").onclick = async () => {
  $("lent-at").select();
  try {
    await navigator.clipboard.writeText($("lent-at").value);
    say($("lent-text"), t("Copied."));
  } catch {
    say($("lent-text"), t("It is marked, to be copied by hand."));
  }
};

// the match ----------------------------------------------------------------------------------------------------------------

let match = null;   // the form
let looked = null;  // how the table stood when the start was pressed that was not answered yet: pressed once more it is the same start

$("match").onsubmit = async (event) => {
  event.preventDefault();
  const said = match.command($("match"));
  looked ??= state;
  try {
    await act("start_match", { seq: looked.seq, match: looked.match, ...said });
  } catch (error) {
    const { body: { same }, code, message } = refusal(error);
    if (code !== "unreachable") looked = null;
    if (!same) {   // else another was quicker to say just that, or this page itself: it is done
      say($("wrong"), message);
      return;
    }
  }
  match.keep(said);
  location.href = "table";
};

function follow(now) {
  state = now;
  camera(now.camera);
  if (match) match.follow(now);
  else offer();
}

let rules = null;

/** The form, once the rule sets have come and, over the stream, how the table stands. */
function offer() {
  if (!rules || !state) return;
  match = matchForm(rules, state);
  $("fields").replaceChildren(...match.fields);
  $("start").disabled = false;
  document.body.dataset.ready = "yes";
}

choose();
new Live({ onState: follow, onCamera: camera, onLine: showLine });

/** Asks for the rule sets, also once more where the line was gone for a moment: the stream comes back by itself, too. */
async function ask() {
  try {
    ({ rules } = await get("rules"));
    say($("wrong"), "");
    offer();
  } catch (error) {
    const { message, code } = refusal(error);
    $("fields").replaceChildren();
    say($("wrong"), message);
    document.body.dataset.ready = "yes";
    if (code === "unreachable") setTimeout(ask, AGAIN);
  }
}

ask();
