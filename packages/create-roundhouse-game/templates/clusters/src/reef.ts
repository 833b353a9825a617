import './reef.css';
import bubble from './art/bubble.svg';
import { h } from './dom.ts';

/** The layers of the sea go from the back to the front. reef.css draws and moves them. */
const LAYERS = ['shafts', 'far', 'fish', 'near left', 'near right'];
const BUBBLES = 14;

export function createReef(): void {
  const layers = LAYERS.map((className) => h('div', { className }));
  // Most bubbles rise at the sides, where the board does not hide them.
  const bubbles = Array.from({ length: BUBBLES }, (_, place) => {
    const x = place % 4 === 0 ? 100 * Math.random() : 20 * Math.random() + (place % 2 === 0 ? 0 : 80);
    return rising(bubble, { x, size: 0.3 + Math.random() ** 2, wait: Math.random() });
  });
  document.body.prepend(h('div', { className: 'reef', ariaHidden: 'true' }, ...layers, ...bubbles));
}

/** Makes a picture with these values for the style sheet. */
export function rising(src: string, values: Record<string, number>): HTMLImageElement {
  const image = h('img', { src, alt: '' });
  for (const [name, value] of Object.entries(values)) image.style.setProperty(`--${name}`, value.toFixed(2));
  return image;
}
