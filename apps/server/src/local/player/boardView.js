import { element } from './dom.js';

const HUE_STEP_DEGREES = 48;

/** A plain grid of symbols, the cells of a win marked. `rows` as `boardOf` gives them. */
export function boardTable(rows, marked) {
  const marks = new Set(marked.map(({ reel, row }) => `${reel},${row}`));
  const body = rows.map(({ isPadding, cells }) =>
    element('tr', isPadding ? { className: 'padding' } : {}, ...cells.map((cell) => cellOf(cell, marks))),
  );
  const reels = rows[0]?.cells.length ?? 0;
  return element(
    'table',
    { className: 'board', 'aria-label': `Board of ${reels} reels` },
    element('tbody', {}, ...body),
  );
}

function cellOf({ name, multiplier, reel, row }, marks) {
  const isMarked = marks.has(`${reel},${row}`);
  const cell = element('td', { className: isMarked ? 'marked' : '' }, element('span', {}, name));
  if (multiplier !== null) cell.append(element('small', {}, `×${multiplier}`));
  if (isMarked) cell.append(element('span', { className: 'visually-hidden' }, ' wins'));
  cell.style.setProperty('--hue', String(hueOf(name)));
  return cell;
}

/** Any game's symbols get colours of their own, the same ones each time; H1, H2 … and L1, L2 … stay well apart. */
function hueOf(name) {
  let sum = 0;
  for (const letter of name) sum = (sum * 10 + letter.charCodeAt(0)) % 100_003;
  return (sum * HUE_STEP_DEGREES) % 360;
}
