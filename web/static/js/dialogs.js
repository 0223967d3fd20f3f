// The dialogs of the table page, and the editor that sets a position by hand.

import { get } from "./api.js";
import { count } from "./board.js";
import { $, h } from "./dom.js";
import { index, nameOf, other, SEATS } from "./facts.js";

const START = { points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], bar: [0, 0], off: [0, 0] };

/** Opens the page's one dialog. `fields` are nodes; `act` is given the form's values and closes the dialog by returning true. */
function open(title, fields, yes, act, extra = []) {
  const dialog = $("dialog");
  const form = h("form", { method: "dialog", onsubmit: async (event) => {
    event.preventDefault();
    if (await act(Object.fromEntries(new FormData(form)))) dialog.close();
  } }, fields, h("div", { class: "ends" }, extra,
    h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
    h("button", { type: "submit", class: "main", id: "dialog-yes" }, yes)));
  dialog.replaceChildren(h("h2", { id: "dialog-title" }, title), form);
  dialog.showModal();
  return form;
}

const field = (label, input, hint) => h("div", { class: "field" }, h("label", { for: input.id }, label), input, hint ? h("span", { class: "quiet" }, hint) : null);
const text = (name, value = "", rest = {}) => h("input", { type: "text", id: `f-${name}`, name, value, autocomplete: "off", ...rest });
const number = (name, value, min, max) => h("input", { type: "number", id: `f-${name}`, name, value, min, max, required: true });
const select = (name, options, chosen) => h("select", { id: `f-${name}`, name },
  options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));

export function dialogs({ send, toast, edit }) {
  const seats = (state) => SEATS.map((seat) => [seat, `${nameOf(state, seat)} (${seat})`]);
  return {
    async match(state) {
      const sets = await get("rules").catch(() => ({ rules: [{ name: "bray", title: "bray" }] }));
      const last = JSON.parse(localStorage.getItem("match") ?? "{}");
      const near = state.names[0] || last.near, far = state.names[1] || last.far;
      open("New match", [
        h("div", { class: "two" },
          field("Far player", text("far", far || "", { required: true, maxlength: 31, placeholder: "Name" })),
          field("Near player", text("near", near || "", { required: true, maxlength: 31, placeholder: "Name" }))),
        h("div", { class: "two" },
          field("Match length", select("length", [["0", "Money game"], ...Array.from({ length: 13 }, (_, i) => [String(2 * i + 1), `${2 * i + 1} point${i ? "s" : ""}`])], String(last.length ?? 5))),
          field("Rules", select("rules", sets.rules.map((r) => [r.name, r.title]), last.rules ?? "bray"))),
        h("label", { class: "row" }, h("input", { type: "checkbox", name: "aids", checked: Boolean(last.aids) }), "Show pip counts and legal plays to the players"),
        state.started && state.phase !== "match_over" ? h("p", { class: "quiet" }, "The match that is being played is kept as it stands.") : null,
      ], "Start", async (values) => {
        const body = { names: [values.near.trim() || "Near", values.far.trim() || "Far"], length: Number(values.length), rules: values.rules, aids: "aids" in values };
        localStorage.setItem("match", JSON.stringify({ near: body.names[0], far: body.names[1], length: body.length, rules: body.rules, aids: body.aids }));
        return send("start_match", body);
      });
    },

    resign(state) {
      open("Resign", [
        field("Who resigns", select("seat", seats(state), state.on_roll ?? "near")),
        field("What", select("kind", [["single", "A single game"], ["gammon", "A gammon"], ["backgammon", "A backgammon"]], "single"))],
      "Offer", (values) => send("resign", { seat: values.seat, kind: values.kind }));
    },

    undo(state) {
      const steps = [...state.log].reverse();
      if (!steps.length) { toast("There is nothing to undo."); return; }
      const options = steps.slice(0, 30).map((line) => [String(line.seq - 1), line.text]);
      open("Undo", [
        field("Take back everything from", select("to", options, options[0][0]), "The log keeps it; the pages no longer show it. With a camera, the board is then compared with the log.")],
      "Undo", (values) => send("undo", { to_seq: Number(values.to) }));
    },

    rule(state) {
      open("Director’s ruling", [
        field("What counts", select("stands", [["yes", "The play stands as it lies"], ["no", "This play counts instead:"]], "yes")),
        field("Play", text("play", "", { placeholder: "24/18 13/11" })),
        field("Reason", text("note", "", { maxlength: 300 }))],
      "Rule", (values) => send("rule", { stands: values.stands === "yes", play: values.play, note: values.note }));
    },

    correct(state) {
      const form = open("Correct", [
        h("div", { class: "two" },
          field(`Score: ${nameOf(state, "near")}`, number("near", state.score[0], 0, 999)),
          field(`Score: ${nameOf(state, "far")}`, number("far", state.score[1], 0, 999))),
        h("div", { class: "two" },
          field("Cube", select("cube", [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map((v) => [String(v), v === 1 ? "1 (shows 64)" : String(v)]), String(state.cube.value))),
          field("Cube with", select("owner", [["", "in the middle"], ...seats(state)], state.cube.owner ?? ""))),
        field("On roll", select("seat", seats(state), state.on_roll ?? "near")),
        state.clock ? h("div", { class: "two" }, SEATS.map((seat) => field(`Seconds left: ${nameOf(state, seat)}`,
          number(`clock-${seat}`, Math.round(state.clock.remaining[index(seat)]), 0, 86400)))) : null],
      "Save", async (values) => {
        let seen = state.seq;
        const steps = [];
        const score = [Number(values.near), Number(values.far)];
        if (score.join() !== state.score.join()) steps.push(["score", { score }]);
        if (Number(values.cube) !== state.cube.value || (values.owner || null) !== state.cube.owner) steps.push(["cube", { value: Number(values.cube), owner: values.owner || null }]);
        if (values.seat !== state.on_roll) steps.push(["turn", { seat: values.seat }]);
        if (state.clock) {
          const remaining = SEATS.map((seat) => Number(values[`clock-${seat}`]));
          if (remaining.some((seconds, i) => seconds !== Math.round(state.clock.remaining[i]))) steps.push(["clock_set", { remaining }]);
        }
        for (const [name, body] of steps) {
          const answer = await send(name, body, seen);
          if (!answer) return false;
          seen = answer.seq;
        }
        return true;
      });
      return form;
    },

    edit,
  };
}

/** A position being set by hand: every click adds a checker of the chosen player, or takes the other's away. */
export class Editor {
  constructor(state) {
    const { points, bar, off } = state.position;
    this.position = { points: [...points], bar: [...bar], off: [...off] };
    this.brush = "near";
  }

  get key() { return [this.position, this.brush]; }

  #settle() {
    for (const seat of SEATS) {
      const i = index(seat);
      const on = this.position.points.reduce((sum, n) => sum + Math.max(0, i ? -n : n), 0) + this.position.bar[i];
      this.position.off[i] = 15 - on;
    }
  }

  pick(place, event) {
    const i = index(this.brush), sign = i ? -1 : 1;
    if (place === "off") return "Checkers that are nowhere on the board count as borne off.";
    const less = event?.shiftKey || this.brush === "none";
    if (place === "bar") {
      if (this.brush === "none") this.position.bar = [0, 0];
      else this.position.bar[i] = Math.max(0, this.position.bar[i] + (less ? -1 : 1));
    } else if (this.brush === "none") {
      this.position.points[place - 1] -= Math.sign(this.position.points[place - 1]);
    } else {
      const there = count(this.position, index(other(this.brush)), place);
      if (there) this.position.points[place - 1] = sign;
      else this.position.points[place - 1] += less ? -Math.min(1, count(this.position, i, place)) * sign : sign;
    }
    this.#settle();
    if (this.position.off[i] < 0) {
      this.position[place === "bar" ? "bar" : "points"][place === "bar" ? i : place - 1] -= place === "bar" ? 1 : sign;
      this.#settle();
      return "All fifteen checkers are on the board: take one away first.";
    }
    return "";
  }

  controls(state, { redraw, done, cancel }) {
    const brush = (value, label) => h("button", { type: "button", id: `brush-${value}`, "aria-pressed": String(this.brush === value),
      onclick: () => { this.brush = value; redraw(); } }, label);
    return [
      h("div", { class: "choice", role: "group", "aria-label": "A click adds" }, brush("near", `+ ${nameOf(state, "near")}`), brush("far", `+ ${nameOf(state, "far")}`), brush("none", "Take away")),
      h("button", { type: "button", onclick: () => { this.position = structuredClone(START); redraw(); } }, "Starting position"),
      h("button", { type: "button", onclick: () => { this.position = { points: Array(24).fill(0), bar: [0, 0], off: [15, 15] }; redraw(); } }, "Clear"),
      h("button", { type: "button", class: "main", id: "position-done", onclick: done }, "Set this position"),
      h("button", { type: "button", onclick: cancel }, "Cancel")];
  }
}
