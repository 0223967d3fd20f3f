// What the referee announces is heard, when switched on: a tone, or a tone and the sentence spoken. Only what is on the page is said,
// so nothing is announced that the rule set keeps from the players.

import { $ } from "./dom.js";
import { recall, remember } from "./memory.js";
import { language, t } from "./words.js";

const MODES = ["off", "sound", "voice"];
const NAMES = { off: t("Sound off"), sound: t("Sound on"), voice: t("Sound and voice") };
const TONES = { illegal_play: [220, 165], roll_void: [440, 330], opening_tied: [440, 330], first_throw_refused: [440, 330], premature: [330, 440, 330], doubt: [523, 659], flagged: [180, 180, 180], game_won: [392, 494, 587] };

const LATE = 1000;   // ms after which a tone would pass for one of what happens by then

let mode = MODES.includes(recall("voice")) ? recall("voice") : "off";
let seen = null;
let audio = null;

/** Browsers let a page sound only once somebody has pressed something on it, and phones anew after a call or another app. */
async function woken() {
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume().catch(() => null);
}

for (const pressed of ["click", "keydown"]) addEventListener(pressed, () => { if (mode !== "off") woken(); }, true);

async function tone(notes) {
  const asked = performance.now();
  await woken();
  if (audio.state !== "running" || performance.now() - asked > LATE) return;
  notes.forEach((pitch, i) => {
    const at = audio.currentTime + i * 0.16;
    const voice = audio.createOscillator();
    const loudness = audio.createGain();
    voice.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.2, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.15);
    voice.connect(loudness).connect(audio.destination);
    voice.start(at);
    voice.stop(at + 0.16);
  });
}

/** Of a roll only that it came before its time is announced. */
const tones = ({ type, level }) => TONES[["rolled", "early_roll"].includes(type) && level === "warn" ? "premature" : type];

/** Whether the page must hear of everything even while nobody looks at it. */
export const listens = () => mode !== "off";

/** Hears of every snapshot; announces what is new since the last one. */
export function announce(state) {
  const fresh = seen !== null && state.match === seen.match ? state.log.filter((line) => line.seq > seen.seq && tones(line) && line.aloud && !line.silent) : [];
  seen = { match: state.match, seq: state.seq };
  if (mode === "off" || fresh.length === 0) return;
  const last = fresh[fresh.length - 1];
  tone(tones(last));
  if (mode === "voice" && "speechSynthesis" in window) {
    speechSynthesis.cancel();
    const turned = state.log.find((line) => line.seq > last.seq && line.type === "auto_doubled");   // by a tie
    const said = new SpeechSynthesisUtterance([last.text, turned?.text].filter(Boolean).join(". "));
    said.lang = language;
    speechSynthesis.speak(said);
  }
}

const button = $("voice-mode");
const show = () => { button.querySelector("span").textContent = NAMES[mode]; button.dataset.mode = mode; button.setAttribute("aria-pressed", String(mode !== "off")); };
button.onclick = () => {
  mode = MODES[(MODES.indexOf(mode) + 1) % MODES.length];
  remember("voice", mode);
  show();
  if (mode !== "off") tone([440]);
};
show();
