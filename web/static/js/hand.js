// What people enter by hand: dice, plays (by clicking or typing), the cube, resignations. Which controls show follows the phase;
// whether a thing is allowed is for the referee to say.

import { $, h, keep } from "./dom.js";
import { dieIcon } from "./dice.js";
import { Editor, dialogs } from "./dialogs.js";
import { nameOf, other, SEATS, turnWords } from "./facts.js";
import { Play } from "./move.js";

const PLAYING = ["rolled", "judging", "held"];
const AUTOMATIC = ["setting_up", "opening", "to_roll", ...PLAYING, "game_over"];

export class Hand {
  constructor({ send, toast, redraw }) {
    Object.assign(this, { send, toast, redraw });
    this.play = null;      // a play being clicked together
    this.editor = null;    // a position being set
    this.chosen = {};      // dice chosen so far, by seat (opening) or in order
    this.again = false;    // the dice are being corrected
    this.open = false;     // the controls are unfolded
    this.dialogs = dialogs({ send, toast, edit: (state) => this.edit(state) });
    addEventListener("keydown", (event) => this.#key(event));
  }

  get busy() { return Boolean(this.editor) || Boolean(this.play?.moves.length); }

  follow(state) {
    const turn = JSON.stringify([state.phase, state.on_roll, state.dice, state.position, state.held?.seq, state.game]);
    if (turn !== this.turn) {
      this.turn = turn;
      this.chosen = {};
      this.again = false;
      this.play = PLAYING.includes(state.phase) && state.dice && state.on_roll ? new Play(state.dice.seat, state.dice.values, state.position) : null;
    }
    this.state = state;
  }

  // the board while something is entered -------------------------------------------------------------------------------

  board(state) {
    if (this.editor) return { position: this.editor.position, marks: {}, active: true };
    if (!this.play) return { marks: {}, active: false };
    const marks = {};
    if (this.play.source !== null) {
      marks[this.play.source] = "source";
      for (const [at] of this.play.targets(this.play.source)) marks[at] = "target";
    }
    const begun = this.play.moves.length > 0 || this.play.source !== null;
    return { position: begun ? this.play.position : null, marks, active: true };
  }

  pick(where, event) {
    const said = this.editor ? this.editor.pick(where, event) : this.play?.pick(where);
    if (said) this.toast(said);
    this.redraw();
  }

  edit(state) {
    this.editor = new Editor(state);
    this.redraw();
  }

  async #enter(name, body) {
    const answer = await this.send(name, body);
    if (answer && this.play) this.play.moves = [];
    this.redraw();
  }

  // controls ----------------------------------------------------------------------------------------------------------

  draw(state) {
    this.#under(state);
    const key = [state.phase, state.started, state.can, state.on_roll, state.dice, state.cube, state.resignation, state.names, state.plays, this.chosen, this.again,
      Boolean(this.editor), this.#compact(state), state.length, state.crawford, state.held?.seq, state.last_turn?.seq, state.rule_sets];
    keep($("hand"), key, () => {
      const parts = [...this.#now(state), this.#foot(state)];
      return this.#compact(state) ? h("details", { open: this.open, ontoggle: (event) => { this.open = event.target.open; } },
        h("summary", {}, "By hand"), h("div", { class: "inside" }, parts)) : parts;
    });
  }

  /** While a camera watches, what it sees by itself need not be entered: those controls wait behind one line. */
  #compact(state) {
    return ["looking", "watching"].includes(state.camera?.status) && AUTOMATIC.includes(state.phase) && !state.resignation && !this.editor && state.started;
  }

  #now(state) {
    const button = (text, name, body = {}, kind = "") => h("button", { type: "button", class: kind, id: `do-${name}`, onclick: () => this.#enter(name, body) }, text);
    if (!state.started) {
      return [h("h2", {}, "No match yet"), h("button", { type: "button", class: "main", id: "new-match", onclick: () => this.dialogs.match(this.state) }, "Start a match")];
    }
    if (this.editor) return [h("h2", {}, "Setting the position"), h("p", { class: "quiet" }, "Choose a player below the board, then click points to add or take away checkers.")];
    if (state.resignation) {
      const { seat, points } = state.resignation;
      return [h("h2", {}, `${nameOf(state, seat)} offers ${points === 1 ? "1 point" : `${points} points`}`),
        h("div", { class: "row" }, button("Accept", "accept", {}, "main"), button("Refuse", "refuse"))];
    }
    switch (state.phase) {
      case "setting_up":
      case "game_over":
        return [h("h2", {}, state.game ? "Set the board up for the next game" : "Set the board up"), button("Start the game", "start_game", {}, "main")];
      case "opening":
        return [h("h2", {}, "Opening roll: one die each"), ...SEATS.map((seat) => this.#keypad(state, seat, nameOf(state, seat)))];
      case "to_roll": {
        const seat = state.on_roll;
        const can = (name) => state.can.includes(name);
        return [h("h2", {}, `${nameOf(state, seat)}’s roll`), this.#keypad(state, seat),
          h("div", { class: "row" }, can("double") ? button("Double", "double", { seat }) : null,
            can("pass_turn") ? button("Closed out: no roll", "pass") : null, can("beaver") ? button("Raccoon", "beaver") : null)];
      }
      case "doubled": {
        const to = other(state.cube.offered_by);
        return [h("h2", {}, `${nameOf(state, to)}: take at ${state.cube.value * 2}?`),
          h("div", { class: "row" }, button("Take", "take", {}, "main"), button("Drop", "drop"), state.can.includes("beaver") ? button("Beaver", "beaver") : null)];
      }
      case "rolled":
      case "judging":
      case "held":
        return this.#plays(state);
      case "match_over":
        return [h("h2", {}, "The match is over"), h("button", { type: "button", class: "main", id: "new-match", onclick: () => this.dialogs.match(this.state) }, "New match")];
      case "paused":
        return [h("h2", {}, "Paused"), button("Go on", "resume", {}, "main")];
      default:
        return [];
    }
  }

  #plays(state) {
    const input = h("input", { type: "text", id: "notation", placeholder: "24/18 13/11", autocomplete: "off", spellcheck: "false", "aria-label": "Play in notation", autocapitalize: "off" });
    const form = h("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); this.#enter("play", { play: input.value }); } },
      input, h("button", { type: "submit" }, "Enter"));
    return [
      h("h2", {}, `${nameOf(state, state.on_roll)} plays ${state.dice.values.join("-")}: click the board, or type`), form,
      state.plays?.length ? h("div", { class: "legal", role: "group", "aria-label": "Legal plays" },
        state.plays.map((play) => h("button", { type: "button", class: "small", onclick: () => this.#enter("play", { play }) }, play || "no play"))) : null,
      this.again ? this.#keypad(state, state.on_roll, "The dice were") : null,
      h("div", { class: "row" },
        h("button", { type: "button", class: "bare small", id: "no-play", onclick: () => this.#enter("play", { play: "" }) }, "Nothing can be played"),
        this.again ? null : h("button", { type: "button", class: "bare small", id: "other-dice", onclick: () => { this.again = true; this.redraw(); } }, "Correct the dice"))];
  }

  /** Six faces. In the opening one is chosen for each seat, otherwise two in turn; the last choice enters the roll. */
  #keypad(state, seat, label = "") {
    const opening = state.phase === "opening";
    const first = opening ? this.chosen[seat] : this.chosen.first;
    return h("div", { role: "group", "aria-label": opening ? `${nameOf(state, seat)}’s die` : "Dice" },
      label ? h("p", { class: "quiet" }, label) : null,
      h("div", { class: "keypad", "data-seat": seat }, [1, 2, 3, 4, 5, 6].map((value) => h("button", {
        type: "button", id: `die-${seat}-${value}`, "aria-label": String(value), "aria-pressed": String(first === value),
        onclick: () => this.#die(state, seat, value) }, dieIcon(value, seat)))));
  }

  #die(state, seat, value) {
    if (state.phase === "opening") {
      this.chosen = { ...this.chosen, [seat]: value };
      if (this.chosen.near && this.chosen.far) {
        const dice = [this.chosen.near, this.chosen.far];
        this.chosen = {};
        this.#enter("roll", { dice });
      }
    } else if (!this.chosen.first) {
      this.chosen = { first: value };
    } else {
      const dice = [this.chosen.first, value];
      this.chosen = {};
      this.#enter("roll", { dice, seat });
    }
    this.redraw();
  }

  #under(state) {
    const play = this.play;
    const shown = play && (play.moves.length || play.source !== null);
    keep($("under"), [this.editor?.key ?? null, shown ? [play.moves, play.source] : null, state.names, state.last_turn?.seq ?? null], () => {
      if (this.editor) {
        return this.editor.controls(state, {
          redraw: () => this.redraw(),
          done: async () => {
            const body = { position: this.editor.position };
            if (await this.send("position", body)) this.editor = null;
            this.redraw();
          },
          cancel: () => { this.editor = null; this.redraw(); },
        });
      }
      if (!shown) return state.last_turn ? h("p", { class: "last" }, turnWords(state)) : [];
      return [
        play.moves.length ? h("button", { type: "button", class: "main", id: "confirm", onclick: () => this.#confirm() }, `Play ${play.words}`) : null,
        h("button", { type: "button", id: "back", onclick: () => { play.back(); this.redraw(); } }, "Take back")];
    });
  }

  #confirm() {
    this.#enter("moves", { moves: this.play.moves.map(([from, to]) => [from, to]) });
  }

  #foot(state) {
    const item = (text, id, act) => h("button", { type: "button", class: "bare small", id, onclick: act }, text);
    if (!state.started) return null;
    const can = (name) => state.can.includes(name);
    return h("div", { class: "foot" },
      can("undo") ? item("Undo…", "undo", () => this.dialogs.undo(this.state)) : null,
      can("resign") ? item("Resign…", "resign", () => this.dialogs.resign(this.state)) : null,
      can("rule") ? item("Ruling…", "rule", () => this.dialogs.rule(this.state)) : null,
      can("stop_clock") ? item("Stop clocks", "do-clock_stop", () => this.#enter("clock_stop", {})) : null,
      can("start_clock") ? item("Start clocks", "do-clock_start", () => this.#enter("clock_start", {})) : null,
      can("press_clock") ? item("Press clock", "do-press", () => this.#enter("press", { seat: state.decider })) : null,
      can("set_position") ? item("Set position…", "set-position", () => this.edit(this.state)) : null,
      item("Correct…", "correct", () => this.dialogs.correct(this.state)),
      state.phase === "match_over" ? null : item("New match…", "another-match", () => this.dialogs.match(this.state)));
  }

  /** Digits enter dice, Enter confirms a play, Backspace takes a move back, u undoes, c presses the clock. */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog") || !this.state) return;
    const { phase, on_roll: seat } = this.state;
    if (/^[1-6]$/.test(event.key) && phase === "to_roll" && seat) {
      this.#die(this.state, seat, Number(event.key));
    } else if (event.key === "Enter" && this.play?.moves.length && !event.target.closest?.("button, a, [data-place]")) {
      this.#confirm();
    } else if (event.key === "Backspace" && this.play) {
      this.play.back();
      this.redraw();
    } else if (event.key === "Escape" && this.editor) {
      this.editor = null;
      this.redraw();
    } else if (event.key === "c" && this.state.can.includes("press_clock")) {
      this.#enter("press", { seat: this.state.decider });
    } else if (event.key === "u" && this.state.started) {
      this.dialogs.undo(this.state);
    } else {
      return;
    }
    event.preventDefault();
  }
}
