import { type BoardRow, boardOf, describeEvent, type MoneyOfHundredths, positionsOf } from './bookEvents.ts';
import { button, byId, element, expandable, prettyJson } from './page.ts';

const HUE_STEP_DEGREES = 48;

export type RoundFacts = { title: string; facts: readonly (readonly [name: string, value: string])[] };

/** Shows the facts of a round. Its events stay as they are. */
export function showFacts({ title, facts }: RoundFacts): void {
  byId('round-title').textContent = title;
  byId('facts').replaceChildren(
    ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

/** Shows the events of a book, and steps through them. */
export function showEvents(events: readonly unknown[], money: MoneyOfHundredths): void {
  byId('stage').hidden = events.length === 0;
  const items = events.map((event, place) => {
    const { index = place, type = 'event' } = (event ?? {}) as { index?: unknown; type?: unknown };
    const summary = element(
      'summary',
      {},
      element('span', { className: 'place' }, String(index)),
      element('span', { className: 'type' }, String(type)),
      element('span', { className: 'says' }, describeEvent(event, money)),
    );
    summary.addEventListener('click', () => stepTo(place));
    return element(
      'li',
      {},
      expandable(summary, () => prettyJson(event)),
    );
  });
  byId('events').replaceChildren(...items);
  if (events.length === 0) return;

  const last = events.length - 1;
  let current = 0;
  /**
   * Marks the event in the list, and shows the last board up to it with the cells that it names.
   */
  const stepTo = (place: number) => {
    items[current]?.classList.remove('current');
    current = Math.min(Math.max(place, 0), last);
    items[current]?.classList.add('current');
    byId('board').replaceChildren(boardAt(events, current));
    for (const id of ['step-first', 'step-back']) button(id).disabled = current === 0;
    for (const id of ['step-next', 'step-last']) button(id).disabled = current === last;
  };
  const steps = {
    'step-first': () => 0,
    'step-back': () => current - 1,
    'step-next': () => current + 1,
    'step-last': () => last,
  };
  for (const [id, target] of Object.entries(steps)) {
    button(id).onclick = () => {
      stepTo(target());
      scrollWithin(byId('events'), items[current]);
    };
  }
  stepTo(firstOfInterest(events));
}

/** Returns the first win, else the first board, else the first event. */
function firstOfInterest(events: readonly unknown[]): number {
  const win = events.findIndex((event) => boardOf(event) === null && positionsOf(event).length > 0);
  if (win >= 0) return win;
  return Math.max(
    0,
    events.findIndex((event) => boardOf(event) !== null),
  );
}

function boardAt(events: readonly unknown[], place: number): HTMLElement {
  for (const event of events.slice(0, place + 1).reverse()) {
    const rows = boardOf(event);
    if (rows) return boardTable(rows, new Set(positionsOf(events[place]).map(({ reel, row }) => `${reel},${row}`)));
  }
  return element('p', { className: 'hint' }, 'No board at this event.');
}

/** Returns a plain grid of symbols. `marks` holds the cells of a win as "reel,row". */
function boardTable(rows: readonly BoardRow[], marks: ReadonlySet<string>): HTMLElement {
  const body = rows.map(({ isPadding, cells }) =>
    element('tr', isPadding ? { className: 'padding' } : {}, ...cells.map((cell) => cellOf(cell, marks))),
  );
  const label = `Board of ${rows[0]?.cells.length ?? 0} reels`;
  return element('table', { className: 'board', 'aria-label': label }, element('tbody', {}, ...body));
}

function cellOf({ name, multiplier, reel, row }: BoardRow['cells'][number], marks: ReadonlySet<string>): HTMLElement {
  const isMarked = marks.has(`${reel},${row}`);
  const cell = element('td', { className: isMarked ? 'marked' : '' }, element('span', {}, name));
  if (multiplier !== null) cell.append(element('small', {}, `×${multiplier}`));
  if (isMarked) cell.append(element('span', { className: 'visually-hidden' }, ' wins'));
  cell.style.setProperty('--hue', String(hueOf(name)));
  return cell;
}

/** Returns a colour for each symbol, always the same. H1, H2 … and L1, L2 … get different ones. */
function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 10 + letter.charCodeAt(0)) % 100_003;
  return (sum * HUE_STEP_DEGREES) % 360;
}

/** Scrolls the list only. On a phone, the page would move away from the buttons. */
function scrollWithin(list: HTMLElement, item: HTMLElement | undefined): void {
  if (item === undefined) return;
  const above = item.offsetTop - list.offsetTop;
  if (above < list.scrollTop) list.scrollTop = above;
  const below = above + item.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}
