// A finger that comes down twice in the same place has pressed once: its second press must not be one of what stands there by then, as the
// next game's start where a resignation was accepted. The same button may be pressed twice, as a die of a double.

const WITHIN = 350;   // ms
const NEAR = 12;      // px

let last = null;

addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!button || event.detail === 0) return;   // a key has no place
  const [now, { clientX: x, clientY: y }] = [performance.now(), event];
  const again = last && now - last.at < WITHIN && Math.hypot(x - last.x, y - last.y) < NEAR;
  if (again && button !== last.button && !(button.id && button.id === last.button.id)) {
    event.stopPropagation();
    event.preventDefault();
    return;
  }
  last = { button, at: now, x, y };
}, true);
