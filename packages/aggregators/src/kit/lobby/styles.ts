/** The lobby has this style sheet. It follows the reader's choice of light or dark. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f6f5, #0e1412);
  --surface: light-dark(#ffffff, #161e1b);
  --raised: light-dark(#eaefec, #1f2925);
  --line: light-dark(#d3dcd7, #2c3833);
  --ink: light-dark(#17211d, #eff3ee);
  --soft: light-dark(#52615a, #aab7b0);
  --accent: light-dark(#8a5a08, #e8b567);
  --on-accent: light-dark(#ffffff, #1d1505);
  --bad: light-dark(#a8321a, #f2ac98);
  --code: ui-monospace, "SF Mono", menlo, consolas, monospace;
  font: 16px / 1.5 system-ui, -apple-system, "Segoe UI", roboto, sans-serif;
}
* { box-sizing: border-box; }
body {
  max-width: 1680px; margin: 0 auto; padding: clamp(16px, 3vw, 32px);
  background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.35rem; line-height: 1.3; }
h2 { margin-bottom: 10px; font-size: 1.05rem; }
h3 { font-size: 1rem; }
header p, .soft { color: var(--soft); font-size: 0.9rem; }
main { display: grid; gap: 28px; margin-top: 24px; }
@media (min-width: 860px) {
  main { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); align-items: start; }
  .side { display: grid; gap: 28px; }
}
.side > section + section { margin-top: 28px; }
@media (min-width: 860px) { .side > section + section { margin-top: 0; } }
.notice {
  margin-top: 16px; padding: 10px 14px; border: 1px solid var(--accent); border-radius: 9px; background: var(--raised);
}
.notice.bad { border-color: var(--bad); }
.players { display: flex; flex-wrap: wrap; gap: 8px; }
.players a {
  display: block; min-width: 136px; padding: 8px 14px; border: 1px solid var(--line); border-radius: 9px;
  background: var(--surface); color: inherit; text-decoration: none;
}
.players a[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.players strong { display: block; }
.players span { font-variant-numeric: tabular-nums; }
.add { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; }
.card {
  display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: center; justify-content: space-between;
  padding: 14px 16px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface);
}
.card + .card { margin-top: 10px; }
.card > div { flex: 1 1 150px; }
.card code { color: var(--soft); font-size: 0.85rem; }
.card > .actions { display: flex; flex: none; gap: 8px; }
button { white-space: nowrap; }
button, input, select {
  min-height: 40px; padding: 6px 14px; border: 1px solid var(--line); border-radius: 9px;
  background: var(--raised); color: var(--ink); font: inherit;
}
input { width: 12ch; background: var(--surface); }
button { cursor: pointer; }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font-family: var(--code); }
summary code { font-size: 0.9rem; }
details { border: 1px solid var(--line); border-radius: 9px; background: var(--surface); }
li + li details { margin-top: 6px; }
summary { display: grid; grid-template-columns: auto 1fr auto; gap: 2px 10px; padding: 8px 12px; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary time::before { content: "▸ "; }
[open] > summary time::before { content: "▾ "; }
summary time { color: var(--soft); font-size: 0.85rem; font-variant-numeric: tabular-nums; }
summary .meaning { grid-column: 1 / -1; font-size: 0.95rem; font-variant-numeric: tabular-nums; }
summary .ids { grid-column: 1 / -1; font-size: 0.85rem; }
.bodies { display: grid; gap: 8px; padding: 0 12px 12px; }
pre {
  padding: 10px; border-radius: 9px; background: var(--raised); font-size: 0.8rem; white-space: pre-wrap;
}
`;

/** Brings balances and wallet requests up to date. What the reader has opened stays open. */
export const SCRIPT = `
const EVERY_MS = 1500;
async function update() {
  if (document.hidden) return;
  const response = await fetch('/live' + location.search);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const id of ['players', 'requests']) {
    const [now, next] = [document.getElementById(id), page.getElementById(id)];
    const open = new Set([...now.querySelectorAll('details[open]')].map((each) => each.id));
    for (const each of next.querySelectorAll('details')) each.open = open.has(each.id);
    if (now.outerHTML !== next.outerHTML) now.replaceWith(next);
  }
}
// The simulator may have been stopped: the page shows what it has.
setInterval(() => update().catch(() => {}), EVERY_MS);
`;
