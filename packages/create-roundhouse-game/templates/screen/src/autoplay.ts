import { type AutoplayLimits, autoplayChoices } from '@roundhouse/sdk/duties';
import type { Dialogs } from './dialogs.ts';
import { h } from './dom.ts';
import type { Money } from './money.ts';
import { fill, type Texts } from './texts.ts';

const ROUNDS = [10, 25, 50, 100, 250, 500];
/** The player chooses limits as multiples of what a round costs. */
const LIMIT_STAKES = [10, 25, 50, 100, 250];

/** Chips with at most this many letters fit into one row. */
const SHORT = 5;

export type AutoplayOrder = AutoplayLimits & { rounds: number };

type AutoplayForm = {
  texts: Texts;
  money: Money;
  dialogs: Dialogs;
  stakeMicros: number;
  /** 0 allows any number. */
  maximumRounds: number;
  /** The player has to choose a loss limit: none is chosen at first. */
  needsLossLimit: boolean;
  start: (order: AutoplayOrder) => void;
};

type Choice = { value: number | undefined; text: string };

/** Asks for the number of rounds and for limits. The first choice risks least. */
export function openAutoplay(form: AutoplayForm): void {
  const { texts, money, dialogs, stakeMicros, maximumRounds, needsLossLimit, start } = form;
  const rounds = autoplayChoices(ROUNDS, maximumRounds).map((value) => ({ value, text: money.number(value) }));
  const limits: Choice[] = LIMIT_STAKES.map((stakes) => {
    const value = stakes * stakeMicros;
    return { value, text: money.text(value) };
  });
  const none: Choice = { value: undefined, text: texts.noLimit };
  const losses = needsLossLimit ? limits : [none, ...limits];
  const begin = h('button', { type: 'submit' }, texts.startAutoplay);
  const root = h(
    'form',
    { className: 'choices' },
    choice('rounds', texts.autoplayRounds, rounds, rounds[0]),
    choice('loss', texts.lossLimit, losses, needsLossLimit ? undefined : limits[0]),
    ...(needsLossLimit ? [h('p', {}, texts.lossLimitNeeded)] : []),
    choice('win', texts.winLimit, [none, ...limits], none),
    h('footer', {}, fill(texts.autoplayStake, { bet: money.text(stakeMicros) }), begin),
  );
  root.onchange = () => {
    begin.disabled = !root.checkValidity();
  };
  begin.disabled = needsLossLimit;
  root.onsubmit = (event) => {
    event.preventDefault();
    const chosen = new FormData(root);
    const limitOf = (name: string) => Number(chosen.get(name)) || undefined;
    dialogs.close();
    start({
      rounds: Number(chosen.get('rounds')),
      lossLimitMicros: limitOf('loss'),
      singleWinLimitMicros: limitOf('win'),
    });
  };
  dialogs.open(texts.autoplay, [root]);
}

/** Makes radio buttons in the look of chips. */
function choice(name: string, legend: string, choices: readonly Choice[], chosen: Choice | undefined): HTMLElement {
  const chips = choices.map((each) => {
    const value = String(each.value ?? '');
    const radio = h('input', { type: 'radio', name, value, required: true, defaultChecked: each === chosen });
    return h('label', {}, radio, each.text);
  });
  const longest = Math.max(...choices.map(({ text }) => text.length));
  const row = h('div', { className: longest > SHORT ? 'long' : '' }, ...chips);
  row.style.setProperty('--longest', String(longest));
  return h('fieldset', {}, h('legend', {}, legend), row);
}
