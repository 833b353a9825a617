import { boardTable } from './boardView.js';
import { boardOf, describeEvent, positionsOf } from './describe.js';
import { byId, element, expandable } from './dom.js';

/** `money` writes hundredths of the round's bet as money, or gives null when the bet is not known. */
export function showRound({ title, facts, state, money }) {
  showFacts({ title, facts });
  const events = Array.isArray(state) ? state : [];
  byId('stage').hidden = events.length === 0;
  if (events.length > 0) showEvents(events, money);
}

/** What is known of a round, without touching its events, so that they stay as the reader left them. */
export function showFacts({ title, facts }) {
  byId('round-title').textContent = title;
  byId('facts').replaceChildren(
    ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

function showEvents(events, money) {
  const items = events.map((event, place) => {
    const summary = [
      element('span', { className: 'place' }, String(event?.index ?? place)),
      element('span', { className: 'type' }, String(event?.type ?? 'event')),
      element('span', { className: 'says' }, describeEvent(event, money)),
    ];
    const details = expandable(summary, () => element('pre', { tabIndex: 0 }, JSON.stringify(event, null, 2)));
    details.firstElementChild.addEventListener('click', () => step.to(place));
    return element('li', {}, details);
  });
  byId('events').replaceChildren(...items);
  const step = stepper(events, items);
  step.to(firstOfInterest(events));
}

/** The event that is looked at: marked in the list, and the last board up to it with the cells it speaks of. */
function stepper(events, items) {
  let current = 0;
  const to = (place) => {
    items[current]?.classList.remove('current');
    current = Math.min(Math.max(place, 0), events.length - 1);
    items[current]?.classList.add('current');
    byId('board').replaceChildren(...boardAt(events, current));
    for (const id of ['step-first', 'step-back']) byId(id).disabled = current === 0;
    for (const id of ['step-next', 'step-last']) byId(id).disabled = current === events.length - 1;
  };
  const toAndShow = (place) => {
    to(place);
    scrollWithin(byId('events'), items[current]);
  };
  byId('step-first').onclick = () => toAndShow(0);
  byId('step-back').onclick = () => toAndShow(current - 1);
  byId('step-next').onclick = () => toAndShow(current + 1);
  byId('step-last').onclick = () => toAndShow(events.length - 1);
  return { to };
}

function boardAt(events, place) {
  const shown = events.slice(0, place + 1).findLastIndex((event) => boardOf(event) !== null);
  if (shown < 0) return [element('p', { className: 'hint' }, 'No board at this event.')];
  return [boardTable(boardOf(events[shown]), positionsOf(events[place]))];
}

function firstOfInterest(events) {
  const win = events.findIndex((event) => boardOf(event) === null && positionsOf(event).length > 0);
  return win >= 0
    ? win
    : Math.max(
        events.findIndex((event) => boardOf(event) !== null),
        0,
      );
}

/** Moves the list only, not the page: on a phone the page would jump away from the buttons. */
function scrollWithin(list, item) {
  if (item === undefined) return;
  const above = item.offsetTop - list.offsetTop;
  if (above < list.scrollTop) list.scrollTop = above;
  const below = above + item.offsetHeight - list.clientHeight;
  if (below > list.scrollTop) list.scrollTop = below;
}
