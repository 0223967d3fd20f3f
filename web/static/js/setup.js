// The set-up page: the camera and the board it finds, then the match.

import { get, Refused } from "./api.js";
import { $, h, s, say } from "./dom.js";
import { Live } from "./live.js";
import { act } from "./pin.js";
import { showLine } from "./theme.js";

let seq = 0;
let corners = null;      // four [x, y] shares of the picture, while a person shows them: far-left, far-right, near-right, near-left
const NAMES = ["Far left corner", "Far right corner", "Near right corner", "Near left corner"];

async function tell(path, body) {
  try {
    return await act(path, body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say($("status"), error.message);
    return null;
  }
}

// the camera ------------------------------------------------------------------------------------------------------------

async function use(source) {
  $("phone").hidden = source !== "phone";
  $("other").hidden = true;
  say($("status"), source === null ? "No camera: everything is entered by hand." : "Opening the camera…");
  const now = await tell("camera", { source });
  if (now) camera(now);
}

$("use-0").onclick = () => use("0");
$("use-phone").onclick = () => use("phone");
$("use-none").onclick = () => use(null);
$("use-other").onclick = () => { $("other").hidden = false; $("source").focus(); };
$("other").onsubmit = (event) => { event.preventDefault(); use($("source").value.trim()); };

function camera(now) {
  const on = now.status !== "none";
  $("preview").hidden = $("aim").hidden = !(on && now.picture);
  if (on) say($("status"), now.status === "watching" ? "The board is found. Look whether the lines fit, then start the match." : now.text);
  if (now.picture) $("whole").src = `/api/v1/whole.jpg?n=${now.picture}`;
}

// where the board is ------------------------------------------------------------------------------------------------------

const nearAt = () => $("near-at").value || null;

function handles() {
  $("handles").toggleAttribute("hidden", !corners);
  $("use-corners").hidden = !corners;
  for (const old of $("preview").querySelectorAll(".corner")) old.remove();
  if (!corners) return;
  const outline = s("polygon", {});
  const trace = () => outline.setAttribute("points", corners.map((c) => c.join(",")).join(" "));
  trace();
  $("handles").replaceChildren(outline);
  corners.forEach((corner, i) => {
    const place = () => { knob.style.left = `${corner[0] * 100}%`; knob.style.top = `${corner[1] * 100}%`; trace(); };
    const move = (x, y) => { corner[0] = Math.min(1, Math.max(0, x)); corner[1] = Math.min(1, Math.max(0, y)); place(); };
    const knob = h("button", { type: "button", class: "corner", "aria-label": `${NAMES[i]}; move it with the arrow keys`,
      onpointerdown: (event) => { knob.setPointerCapture(event.pointerId); },
      onpointermove: (event) => {
        if (!knob.hasPointerCapture(event.pointerId)) return;
        const box = $("preview").getBoundingClientRect();
        move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
      },
      onkeydown: (event) => {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!step) return;
        event.preventDefault();
        move(corner[0] + step[0] * (event.shiftKey ? .02 : .003), corner[1] + step[1] * (event.shiftKey ? .02 : .003));
      } });
    $("preview").append(knob);
    place();
  });
}

$("corners").onclick = () => { corners = corners ? null : [[.2, .15], [.8, .15], [.85, .85], [.15, .85]]; handles(); };
$("use-corners").onclick = async () => { if (await tell("board", { corners, near_at: nearAt() })) { corners = null; handles(); } };
$("again").onclick = () => tell("board", { near_at: nearAt() });
$("near-at").onchange = () => tell("board", { near_at: nearAt() });

// the match ----------------------------------------------------------------------------------------------------------------

const last = JSON.parse(localStorage.getItem("match") ?? "{}");
const sets = await get("rules").catch(() => ({ rules: [] }));
$("length").replaceChildren(...[0, ...Array.from({ length: 13 }, (_, i) => 2 * i + 1)].map((n) =>
  h("option", { value: n, selected: n === (last.length ?? 5) }, n === 0 ? "Money game" : n === 1 ? "1 point" : `${n} points`)));
$("rules").replaceChildren(...sets.rules.map((rule) => h("option", { value: rule.name, selected: rule.name === (last.rules ?? "bray") }, rule.title)));
for (const name of ["near", "far", "event", "round", "place", "transcriber"]) $(name).value = last[name] ?? "";
$("aids").checked = Boolean(last.aids);
$("swap").onclick = () => { [$("near").value, $("far").value] = [$("far").value, $("near").value]; };
$("match").onsubmit = async (event) => {
  event.preventDefault();
  const kept = { near: $("near").value.trim(), far: $("far").value.trim(), length: Number($("length").value), rules: $("rules").value, aids: $("aids").checked };
  for (const name of ["event", "round", "place", "transcriber"]) kept[name] = $(name).value.trim();
  localStorage.setItem("match", JSON.stringify(kept));
  const { near, far, ...rest } = kept;
  try {
    await act("start_match", { seq, names: [near, far], ...rest });
    location.href = "/table";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say($("wrong"), error.message);
  }
};

new Live({ onState: (state) => { seq = state.seq; camera(state.camera); }, onCamera: camera, onLine: showLine });
