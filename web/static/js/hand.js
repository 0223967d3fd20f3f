// What people enter by hand: dice, plays (chosen on the board or typed), the cube, resignations. Which controls show follows the phase;
// whether a thing is allowed is for the referee to say.

import { $, h, keep, stayIn, unbroken } from "./dom.js";
import { dialogs } from "./dialogs.js";
import { Editor } from "./editor.js";
import { clocksStand, diceWords, lastOf, nameOf, other, SEATS, turnParts } from "./facts.js";
import { showKeys } from "./keys.js";
import { begun, keepBegun } from "./memory.js";
import { Play } from "./move.js";
import { opens, Thrown } from "./thrown.js";
import { t, tn } from "./words.js";

const PLAYING = ["rolled", "judging", "held"];
const AUTOMATIC = ["setting_up", "opening", "to_roll", ...PLAYING, "game_over"];

/** Who throws next: the other player where the one on roll is closed out. */
const rolls = (state) => (state.can.includes("pass_turn") ? other(state.on_roll) : state.on_roll);

/** A button for what is seldom pressed. */
const small = (text, id, onclick) => h("button", { type: "button", class: "bare small", id, onclick }, text);

export class Hand {
  constructor({ send, toast, redraw, toBoard, inSight }) {
    Object.assign(this, { send, toast, redraw, toBoard, inSight });
    this.play = null;      // a play being put together
    this.editor = null;    // a position being set
    this.thrown = new Thrown({ redraw, enter: (body) => this.#enter("roll", body) });   // dice being entered
    this.typed = "";       // what is typed of a play
    this.again = false;    // the dice are being corrected
    this.open = false;     // the controls are unfolded
    this.dialogs = dialogs({ send, toast, now: () => this.state });
    addEventListener("keydown", (event) => this.#key(event));
  }

  get busy() { return Boolean(this.editor) || Boolean(this.play?.moves.length); }

  follow(state) {
    const again = state.log[lastOf(state.log, (line) => ["opening_tied", "first_throw_refused"].includes(line.type))]?.seq;   // both throw again
    if (state.phase !== "paused") this.phase = state.phase;   // a pause interrupts what is being entered, and ends nothing
    else this.phase ??= begun().phase;
    const turn = JSON.stringify([state.match, this.phase, state.on_roll, state.dice, state.position, state.held?.seq, state.game, again]);
    if (turn !== this.turn) {
      this.turn = turn;
      this.thrown.chosen = {};
      this.typed = "";
      this.again = false;
      this.refused = null;   // a play that was refused as illegal: [command, body]
      this.#picked("");
      this.play = PLAYING.includes(this.phase) && state.dice && state.on_roll ? new Play(state.dice.seat, state.dice.values, state.position) : null;
      this.#recover(state);
    }
    if (this.editor && ((this.state && state.match !== this.state.match) || !state.can.includes(this.editor.command === "position" ? "set_position" : "setup_error"))) {
      this.editor = null;   // the board it was for is on the table no more
    }
    this.state = state;
  }

  /** What is half entered outlasts that the page is loaded again, as by a phone that was put away. */
  #recover(state) {
    const { turn, play, editor, chosen = {}, ...entered } = begun();
    if (turn !== this.turn) return;
    Object.assign(this, entered);
    this.thrown.chosen = chosen;
    if (this.play && play) Object.assign(this.play, play);
    if (editor) this.#edits(state, editor);
  }

  #remember() {
    if (!this.phase) return;   // loaded in a pause, it does not know what that interrupts
    const { turn, phase, thrown: { chosen }, typed, again, open, play, editor } = this;
    const half = editor || this.thrown.begun || typed || play?.moves.length || (play?.source ?? null) !== null;
    keepBegun(half ? { turn, phase, chosen, typed, again, open, play: play && { moves: play.moves, source: play.source },
      editor: editor && { position: editor.position, brush: editor.brush, command: editor.command } } : {});
  }

  // the board while something is entered -------------------------------------------------------------------------------

  board(state) {
    if (this.editor) return { position: this.editor.position, marks: {}, active: true };
    if (!this.play) return { marks: {}, active: false, numbers: this.#corrects(state) };
    const marks = {}, active = state.phase !== "paused";
    if (active && this.play.source !== null) {
      marks[this.play.source] = "source";
      for (const [at] of this.play.targets(this.play.source)) marks[at] = "target";
    }
    const begun = this.play.moves.length > 0 || this.play.source !== null;
    return { position: begun ? this.play.position : null, marks, active };
  }

  pick(where, event) {
    this.refused = null;
    this.#picked(this.editor ? this.editor.pick(where, event) : this.play?.pick(where));
    this.redraw();
  }

  /** Says why a place cannot be chosen, until one is that can be, or another turn has come. */
  #picked(said) {
    if (said) this.toast(said, "pick");
    else if ($("toast").dataset.code === "pick") $("toast").hidden = true;
  }

  edit(state, command = "position") {
    if (this.editor?.command !== command) this.#edits(state, { command });   // pressed twice it goes on with what is being set
    this.redraw();
    $("board").scrollIntoView({ block: "nearest" });   // on which the checkers are set; a small phone shows it or the foot of the controls
    this.inSight();
  }

  #edits(state, begun) { this.editor = Object.assign(new Editor(state), { seen: state }, begun); }

  /** Sends what was entered by somebody who looked at `seen`, one thing after the other; the same thing twice before the answer is one press. */
  async #enter(name, body, seen = this.state) {
    const key = JSON.stringify([name, body]);
    if (this.sending === key) return null;
    this.sending = key;
    this.sent = (this.sent ?? Promise.resolve()).catch(() => null).then(() => this.#send(name, body, seen)).finally(() => { if (this.sending === key) this.sending = ""; });
    return this.sent;
  }

  async #send(name, body, seen) {
    const { turn } = this;
    const answer = await this.send(name, body, seen);
    if (turn === this.turn) {   // else somebody else has gone on meanwhile, and what stands here by now is of another turn
      const played = ["play", "moves"].includes(name);
      if (answer && played && this.play) this.play.moves = [];
      this.refused = !answer && played && $("toast").dataset.code === "illegal_play" ? [name, body] : null;
    }
    this.redraw();
    return answer;
  }

  // controls ----------------------------------------------------------------------------------------------------------

  draw(state) {
    this.#remember();
    this.#under(state);
    const stand = Boolean(clocksStand(state));   // where the page asks for it, and not below the fold of a phone
    keep($("clocks"), stand, () => (stand ? this.#button(t("Start clocks"), "clock_start") : []));
    const key = [state.phase, state.started, state.can, state.on_roll, state.decider, state.dice, state.cube, state.resignation, state.names, state.plays, this.thrown.chosen,
      this.again, this.editor?.command, this.#compact(state), state.length, state.crawford, state.held?.seq, state.last_turn?.seq];
    keep($("hand"), key, () => {
      const parts = [...this.#now(state), this.#foot(state)];
      return this.#compact(state) ? h("details", { open: this.open, ontoggle: (event) => { this.open = event.target.open; } },
        h("summary", {}, t("By hand")), h("div", { class: "inside" }, parts)) : parts;
    });
  }

  /** While a camera watches, what it sees by itself need not be entered: those controls wait behind one line. */
  #compact(state) {
    return ["looking", "watching"].includes(state.camera.status) && AUTOMATIC.includes(state.phase) && !state.resignation && !this.editor && state.started;
  }

  #button(text, name, body = {}, kind = "") {
    return h("button", { type: "button", class: kind, id: `do-${name}`, onclick: () => this.#enter(name, body) }, text);
  }

  #now(state) {
    const can = (name) => state.can.includes(name);
    const fresh = (text) => h("button", { type: "button", class: "main", id: "new-match", onclick: () => this.dialogs.match(this.state) }, text);
    if (!state.started) return [h("h2", {}, t("No match yet")), fresh(t("Start a match"))];
    if (this.editor) return [h("h2", {}, t("Setting the position")), h("p", { class: "quiet" }, t("Choose a player, then points on the board, to add or take away checkers.")), ...this.#editing()];
    if (state.resignation) {
      const { seat, points } = state.resignation;
      return [h("h2", {}, t("{name} offers {points}", { name: nameOf(state, seat), points: tn(points, "1 point", "{n} points") })),
        h("div", { class: "row" }, this.#button(t("Accept"), "accept", {}, "main"), this.#button(t("Refuse"), "refuse"),
          can("resume") ? this.#button(t("Go on"), "resume") : null)];
    }
    switch (state.phase) {
      case "setting_up":
      case "game_over":
        return [h("h2", {}, state.game ? t("Set the board up for the next game") : t("Set the board up")), this.#button(t("Start the game"), "start_game", {}, "main"),
          can("mix_dice") ? h("div", { class: "row" }, SEATS.map((seat) => h("button", { type: "button", class: "small", id: `mix-${seat}`,
            onclick: () => this.#enter("mix_dice", { seat }) }, t("{name} has the dice mixed", { name: nameOf(state, seat) })))) : null];
      case "opening":
        return [h("h2", {}, t("Opening roll: one die each")), ...SEATS.map((seat) => this.thrown.keypad(state, seat, nameOf(state, seat)))];
      case "to_roll": {
        const seat = rolls(state);
        const corrected = this.#corrects(state);
        if (corrected) return [h("h2", {}, t("What {name} really played", { name: nameOf(state, corrected) })), this.#typing(), h("div", { class: "row" }, this.#forget())];
        return [h("h2", {}, t("{name} rolls", { name: nameOf(state, seat) })), this.thrown.keypad(state, seat),
          h("div", { class: "row throws" }, can("double") ? this.#button(t("Double"), "double", { seat: state.on_roll }) : null,
            can("pass_turn") ? this.#button(t("Closed out: no roll"), "pass") : null, can("drop") ? this.#button(t("Drop"), "drop") : null, can("beaver") ? this.#button(state.expected.code === "roll_or_other_drops" ? t("Beaver") : t("Raccoon"), "beaver") : null,
            can("enter_play") ? this.#other("other-play", t("Correct the play")) : null, this.thrown.begun ? this.#forget() : null)];
      }
      case "doubled": {
        const to = other(state.cube.offered_by);
        return [h("h2", {}, t("{name}: take at {value}?", { name: nameOf(state, to), value: state.cube.value * 2 })),
          h("div", { class: "row" }, this.#button(t("Take"), "take", {}, "main"), this.#button(t("Drop"), "drop"), can("beaver") ? this.#button(t("Beaver"), "beaver") : null)];
      }
      case "rolled":
      case "judging":
      case "held":
        return this.#plays(state);
      case "match_over":
        return [h("h2", {}, state.length ? t("The match is over") : t("The session is over")), fresh(t("New match")),
          h("a", { class: "button", id: "whole-match", href: `matches/${state.match}` }, t("See the whole match"))];
      case "paused":
        return [h("h2", {}, t("Paused")), this.#button(t("Go on"), "resume", {}, "main")];
      default:
        return [];
    }
  }

  /** Where a play is typed. */
  #typing() {
    const input = h("input", { type: "text", id: "notation", placeholder: "24/18 13/11", required: true, autocomplete: "off", spellcheck: "false", "aria-label": t("Play in notation"), autocapitalize: "off",
      value: this.typed, oninput: () => { this.typed = input.value; this.#remember(); } });
    return h("form", { class: "typed", onsubmit: (event) => { event.preventDefault(); this.#enter("play", { play: input.value }); } },
      input, h("button", { type: "submit" }, t("Enter")));
  }

  #plays(state) {
    return [
      h("h2", {}, t("{name} plays {dice}: choose on the board, or type", { name: nameOf(state, state.on_roll), dice: diceWords(state.dice.values) })), this.#typing(),
      state.plays?.length ? h("div", { class: "legal", role: "group", "aria-label": t("Legal plays") },
        state.plays.map((play) => h("button", { type: "button", class: "small", onclick: () => this.#enter("play", { play }) }, play || t("no play")))) : null,
      ...(!this.again ? [] : opens(state) ? SEATS.map((seat) => this.thrown.keypad(state, seat, nameOf(state, seat))) : [this.thrown.keypad(state, state.on_roll, t("The dice were"))]),
      h("div", { class: "row" },
        small(t("Nothing can be played"), "no-play", () => this.#enter("play", { play: "" })),
        this.again ? this.#forget() : this.#other("other-dice", t("Correct the dice")),
        ...state.refusers.map((seat) => small(t("{name} refuses the first throw: it doubles", { name: nameOf(state, seat) }), `refuse-throw-${seat}`, () => this.#enter("refuse_first_throw", { seat }))),
        state.can.includes("drop") ? this.#button(t("Drop"), "drop") : null),
      ...(state.held && !this.again ? this.#goesOn(state) : [])];
  }

  /** Whose last play is being typed anew: the board has his numbers, as while he played. */
  #corrects(state) {
    return this.again && state.phase === "to_roll" && state.can.includes("enter_play") ? state.last_turn.seat : null;
  }

  /** What was entered or seen was another. */
  #other(id, text) {
    return small(text, id, () => { this.again = true; this.redraw(); });
  }

  /** A die pressed by mistake is let go of: pressed once more it would be a double. */
  #forget() {
    return small(t("Take back"), "forget", () => this.#leave());
  }

  /** `editor`: that of which somebody hears only now that what it set is set; what was begun since is not left. */
  #leave(editor = this.editor) {
    if (editor !== this.editor) return;
    Object.assign(this, { editor: null, again: false });
    this.thrown.chosen = {};
    this.redraw();
    this.inSight();
  }

  /** The other player need not wait for a play that is held: by his roll or his double it stands. */
  #goesOn(state) {
    const seat = other(state.on_roll), name = nameOf(state, seat);
    return [h("h2", {}, state.can.includes("double") ? t("{name} rolls or doubles: the play stands", { name }) : t("{name} rolls: the play stands", { name })),
      this.thrown.keypad(state, seat, "", false),
      state.can.includes("double") ? h("div", { class: "row" }, this.#button(t("Double"), "double", { seat })) : null];
  }

  /** By the key, from wherever it is pressed: what is typed of a play is left, too. */
  #escape() {
    const box = $("notation");
    if (box) {
      Object.assign(this, { typed: "", refused: null });
      box.value = "";
      if (document.activeElement === box) stayIn($("hand"));   // where every key has its meaning again
    }
    this.#leave();
  }

  /** A play is offered when as many numbers are used as the roll lets be played; before, the page says what is left, and the referee
   *  may still be asked to judge it as it is. What was refused would be refused again: it can be held in that button's place. */
  #under(state) {
    const play = state.phase === "paused" ? null : this.play;
    const shown = play && (play.moves.length || play.source !== null);
    $("under").hidden = !state.started || Boolean(state.resignation && !shown);   // there a small phone shows how to start a match, and to answer
    const begun = shown ? [play.moves, play.source, state.playable] : null;   // drawn anew only when it says something else: it is read out
    $("under").setAttribute("aria-live", this.editor ? "off" : "polite");   // the editor's buttons stay the same with every checker
    const refused = ((play || this.again) && this.refused) || null;
    keep($("under"), [this.editor?.command, this.editor?.key, begun, state.names, state.last_turn?.seq ?? null, refused], () => {
      if (this.editor) return this.editor.brushes(state, () => this.redraw());
      const hold = refused ? h("button", { type: "button", id: "hold", onclick: () => this.#hold() }, t("It was played like this: hold it")) : null;
      if (!shown) return hold ?? (state.last_turn ? this.#last(state) : []);
      const whole = play.moves.length >= state.playable;
      const judged = this.refused?.[0] === "moves";   // what is put together here, and not what was typed meanwhile
      return [
        play.moves.length && whole && !judged ? h("button", { type: "button", class: "main", id: "confirm", onclick: () => this.#confirm() }, t("Play {play}", { play: play.words })) : null,
        play.moves.length && (!whole || judged) ? h("span", { class: "left", id: "left" }, whole ? play.words : t("{play}: {dice} to play", { play: play.words, dice: diceWords(play.left) })) : null,
        h("button", { type: "button", id: "back", onclick: () => this.#back() }, t("Take back")),
        play.moves.length && !whole && !judged ? small(t("That was all: judge it"), "judge", () => this.#confirm()) : null,
        hold];
    });
  }

  /** What was played last; where it has one line, the name is shortened and never the play. */
  #last(state) {
    const [who, what] = turnParts(state);
    return h("p", { class: "last" }, h("span", { class: "who", dir: "auto" }, who), what ? [" ", h("span", { class: "what" }, unbroken(what))] : null);
  }

  #editing() {
    return this.editor.controls({
      redraw: () => this.redraw(),
      done: async () => {
        const { editor } = this;
        if (await this.#enter(editor.command, { position: editor.position }, editor.seen)) { this.#leave(editor); return; }
        editor.seen = this.state;   // whoever presses again has seen what came first
        this.redraw();
      },
      cancel: () => this.#leave(),
      fromId: this.editor.command === "position" ? () => this.#fromId(this.editor) : null,
    });
  }

  #fromId(editor) {
    this.dialogs.moment(editor.seen, () => this.#leave(editor));
  }

  /** An illegal play that was really made is held for correction, like one the camera saw. */
  #hold() {
    const [name, body] = this.refused;
    this.#enter(name, { ...body, hold: true });
  }

  #back() {
    this.refused = null;   // what was refused is not what the board shows any more
    this.play.back();
    this.redraw();
  }

  #confirm() {
    this.#enter("moves", { moves: this.play.moves.map(([from, to]) => [from, to]) });
  }

  /** The board was set up wrongly: put right in time, else it is entered as it stands. */
  async #setUpWrongly() {
    const { seq } = this.state;
    if (!await this.#enter("setup_error", {}) && $("toast").dataset.code === "setup_stands" && this.state.seq === seq) this.edit(this.state, "setup_error");
  }

  #foot(state) {
    if (!state.started) return null;
    const can = (name) => state.can.includes(name);
    const say = (text, name, body = {}) => small(text, `do-${name}`, () => this.#enter(name, body));
    return h("div", { class: "foot" },
      can("undo") ? small(t("Undo…"), "undo", () => this.dialogs.undo(this.state)) : null,
      can("resign") ? small(t("Resign…"), "resign", () => this.dialogs.resign(this.state)) : null,
      ["rule", "penalise", "award_match"].some(can) ? small(t("Ruling…"), "rule", () => this.dialogs.rule(this.state)) : null,
      can("stop_clock") ? say(t("Stop clocks"), "clock_stop") : null,
      can("press_clock") ? say(t("Press clock"), "press", { seat: state.decider }) : null,
      can("set_position") ? small(t("Set position…"), "set-position", () => this.edit(this.state)) : null,
      can("setup_error") ? small(t("Set up wrongly"), "setup-error", () => this.#setUpWrongly()) : null,
      can("set_names") ? small(t("Correct…"), "correct", () => this.dialogs.correct(this.state)) : null,
      can("pause") ? say(t("Pause"), "pause") : null,
      state.phase === "match_over" ? null : small(t("New match…"), "another-match", () => this.dialogs.match(this.state)));
  }

  /** What a key does now; null for nothing. `web/static/js/keys.js` tells people. */
  #meaning(key) {
    const press = (id) => ($(id) ? () => $(id).click() : null);   // nothing that the page does not offer
    if (/^[1-6]$/.test(key)) return press(`die-${!opens(this.state) ? rolls(this.state) : this.thrown.chosen.near ? "far" : "near"}-${key}`);
    switch (key) {
      case "Backspace": return this.play && !this.editor && this.state.phase !== "paused" ? () => this.#back() : null;
      case "Escape": return this.editor || this.again || this.thrown.begun || $("notation") ? () => this.#escape() : null;
      case "/": return () => { const box = $("notation"); box?.closest("details")?.setAttribute("open", ""); box?.focus(); };
      case "b": return () => this.toBoard();
      case "a": return $("questions").firstChild ? () => $("questions").querySelector("button").focus() : null;
      case "c": return press("do-press");
      case "d": return press("do-double");
      case "t": return press("do-take");
      case "p": return press("do-drop");
      case "n": return press("no-play");
      case "o": return press("other-dice") ?? ($("other-play") ? () => { $("other-play").click(); this.#meaning("/")(); } : null);
      case "r": return press("resign");
      case "u": return press("undo");
      case "?": return () => showKeys();
      default: return null;
    }
  }

  #key(event) {
    const typing = event.target.closest?.("input, select, dialog") && !(event.target.id === "notation" && event.key === "Escape");
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || typing || !this.state) return;
    const confirms = event.key === "Enter" && $("confirm") && !event.target.closest?.("button, a, summary, [data-place]");
    const act = confirms ? () => this.#confirm() : this.#meaning(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }
}
