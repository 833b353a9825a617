import './reef.css';
import bubble from './art/bubble.svg';
import { IS_CALM } from './bubbles.ts';
import { h } from './dom.ts';

/** The layers of the sea behind the page, from the back to the front. reef.css draws and moves them. */
const LAYERS = ['shafts', 'far', 'fish', 'near left', 'near right'];
const BUBBLES = 14;
/** On a machine with so many frames of this length, the sea stands still. */
const SLOW = { frames: 3, ms: 80 };
const MEASURED_FRAMES = 60;

/** Draws the sea. It stands still until `begin`, when the game has been drawn. */
export function createReef(): { begin(): Promise<void> } {
  const layers = LAYERS.map((className) => h('div', { className }));
  const bubbles = Array.from({ length: BUBBLES }, (_, place) => {
    const image = h('img', { src: bubble, alt: '' });
    // Most rise at the sides, where the board does not hide them.
    const x = place % 4 === 0 ? 100 * Math.random() : place % 2 === 0 ? 22 * Math.random() : 78 + 22 * Math.random();
    const random = { x, size: 0.3 + Math.random() ** 2, wait: Math.random() };
    for (const [name, value] of Object.entries(random)) image.style.setProperty(`--${name}`, value.toFixed(2));
    return image;
  });
  const reef = h('div', { className: 'reef still', ariaHidden: 'true' }, ...layers, ...bubbles);
  document.body.prepend(reef);
  return {
    async begin() {
      if (!IS_CALM) reef.classList.toggle('still', await isSlow(reef));
    },
  };
}

/** Lets the sea move for a moment, and returns whether that is too much for the machine. */
async function isSlow(reef: HTMLElement): Promise<boolean> {
  reef.classList.remove('still');
  let slow = 0;
  let lastMs = performance.now();
  for (let count = 0; count < MEASURED_FRAMES && slow < SLOW.frames; count += 1) {
    const nowMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    if (nowMs - lastMs > SLOW.ms) slow += 1;
    lastMs = nowMs;
  }
  return slow === SLOW.frames;
}
