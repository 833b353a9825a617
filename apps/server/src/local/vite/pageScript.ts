/** The plugin sends `{ isMaking }` to its script in the page, which sends the request for it. */
export const STATUS_EVENT = 'roundhouse:status';

/** Vite serves a module whose id begins with a zero byte at this path. */
export const PAGE_SCRIPT_ID = '\0roundhouse:page';
export const PAGE_SCRIPT_PATH = '@id/__x00__roundhouse:page';

/**
 * `vite` adds this module to the page, and `vite build` does not: it says that math is being made.
 * Its element is closed to the styles of the game.
 */
export const PAGE_SCRIPT = `
const STYLE = \`
  :host { all: initial; position: fixed; inset: 12px auto auto 12px; z-index: 2147483646; pointer-events: none; }
  :host([hidden]) { display: none; }
  p { display: flex; align-items: center; gap: 10px; width: max-content; margin: 0; padding: 10px 16px;
    border-radius: 999px; background: #14171f; color: #f4f6fb; font: 500 14px/1.2 system-ui, sans-serif;
    box-shadow: 0 0 0 1px #ffffff2e, 0 6px 24px #0009; }
  i { width: 12px; height: 12px; border: 2px solid #ffffff40; border-top-color: #ffc857; border-radius: 50%;
    animation: turn 0.8s linear infinite; }
  @keyframes turn { to { transform: rotate(1turn); } }
  @media (prefers-reduced-motion: reduce) { i { animation-duration: 4s; } }
\`;
const host = document.createElement('roundhouse-status');
host.hidden = true;
host.setAttribute('role', 'status');
const root = host.attachShadow({ mode: 'open' });
root.innerHTML = '<style>' + STYLE + '</style><p><i></i><span></span></p>';
document.body.append(host);
import.meta.hot.on('${STATUS_EVENT}', ({ isMaking }) => {
  root.querySelector('span').textContent = isMaking ? 'Making math…' : '';
  host.hidden = !isMaking;
});
import.meta.hot.send('${STATUS_EVENT}');
`;
