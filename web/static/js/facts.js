// Facts of a snapshot in words and marks that several pages show.

import { h, s } from "./dom.js";

export const SEATS = ["near", "far"];
export const index = (seat) => (seat === "near" ? 0 : 1);
export const other = (seat) => (seat === "near" ? "far" : "near");
export const nameOf = (state, seat) => state.names?.[index(seat)] || (seat === "near" ? "Near" : "Far");

/** A player's checker as a small picture. */
export function chip(seat) {
  return s("svg", { class: "chip", viewBox: "-32 -32 64 64", "aria-hidden": "true" },
    s("g", { class: `checker ${seat}` }, s("circle", { class: "body", r: 29 }), s("circle", { class: "ring", r: 18 }),
      seat === "far" ? s("circle", { class: "dot", r: 5 }) : null));
}

/** "5 points", "Game 2", "Crawford game" ... */
export function about(state) {
  if (!state.started) return [];
  const length = state.length ? (state.length === 1 ? "1 point" : `${state.length} points`) : "Money game";
  return [length, `Game ${Math.max(1, state.game)}`, state.crawford ? "Crawford game" : null].filter(Boolean);
}

/** The cube in words. */
export function cubeWords(state) {
  const { value, owner } = state.cube;
  if (state.crawford || state.length === 1) return "no cube";
  if (!owner) return value === 1 ? "cube in the middle" : `cube at ${value} in the middle`;
  return `cube at ${value} with ${nameOf(state, owner)}`;
}

/** Points (near's numbers), "bar" and "off" where two positions differ. */
export function differences(a, b) {
  if (!a || !b) return [];
  const places = [];
  for (let p = 1; p <= 24; p++) if (a.points[p - 1] !== b.points[p - 1]) places.push(p);
  if (a.bar.join() !== b.bar.join()) places.push("bar");
  return places;
}

/** Dice as the board draws them. */
export function diceOf(state) {
  return state.dice?.seat ? state.dice : null;
}

export function points(state, seat) {
  return h("span", { class: "points" }, String(state.score[index(seat)]));
}

/** The last turn in a line: "Anna 3-1: 8/5 6/5". */
export function turnWords(state) {
  const { seat, dice, play } = state.last_turn;
  if (!dice) return `${nameOf(state, seat)} was closed out and did not roll`;
  return `${nameOf(state, seat)} ${dice.join("-")}: ${play || "no play"}`;
}
