import { expect, it } from 'vitest';
import { aggregatorOf } from '../src/aggregators.ts';
import { microsText } from '../src/kit/lobby/page.ts';
import { idsText, type Members, meaningText } from '../src/kit/meaning.ts';
import type { SimulatorOptions } from '../src/kit/simulator.ts';
import { start } from './support/start.ts';
import { TINY } from './support/tiny.ts';

const GAMES = [
  { gameID: 'slot', title: 'The <Slot>', bets: { EUR: { bet: 1_000_000, levels: [500_000, 1_000_000] } } },
  { gameID: 'unknown', title: 'Refused', bets: {} },
];

async function open(options: Partial<SimulatorOptions> = {}) {
  const started = await start({ lobby: { games: GAMES, currencies: ['EUR', 'USD'] }, ...options });
  const { origin } = started.simulator;
  const page = async (path = '/') => (await fetch(origin + path)).text();
  const submit = async (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ player: 'ann', currency: 'EUR', gameID: 'slot', ...fields });
    const response = await fetch(`${origin}/lobby/${action}`, { method: 'POST', body, headers, redirect: 'manual' });
    return { status: response.status, to: response.headers.get('location'), text: await response.text() };
  };
  return { ...started, page, submit };
}

it('the lobby shows its players, and the games of the server without the markup of their titles', async () => {
  const { page } = await open();
  const text = await page();
  expect(text).toContain('<strong>ann</strong><span>1,000.00 EUR</span>');
  expect(text).toContain('<strong>bob</strong><span>1,000.00 USD</span>');
  expect(text).toContain('The &lt;Slot&gt;');
});

it('play leads to the game, and the request of its wallet is shown with its meaning', async () => {
  const meaning = ({ kind: what, cents: amount, id }: Members, { cents }: Members) => {
    return { moves: [{ what, amount, id }], has: { balance: cents }, currency: 'EUR', decimals: 2 };
  };
  const { page, submit, move } = await open({ aggregator: { ...TINY.aggregator, meaning } });
  expect(await submit('launch', {})).toMatchObject({ status: 303, to: 'http://game/?session=1' });
  await move('a', 'bet', 250);
  const live = await page('/live');
  expect(live).toContain('<strong>ann</strong><span>997.50 EUR</span>');
  expect(live).toContain('bet of 2.50 EUR: balance 997.50 EUR');
  expect(live).toContain('transaction a');
  expect(live).toContain('&quot;cents&quot;: 99750');
});

const EURO = { amount: 1_000_000, currency: 'EUR' };
const HUB88_BET = { amount: 100000, transaction_uuid: 't', round: '3', currency: 'USD' };
const BET_WIN = [
  { type: 'bet', amount: '1.00', id_provider: 't' },
  { type: 'win', amount: '0.50', id_provider: 'u' },
];

it.each<[string, Members, Members, string]>([
  [
    'engine',
    { round: 3, debit: { id: 't', ...EURO }, credit: { id: 'u', ...EURO } },
    { debit_id: 'd', balance: { ...EURO, amount: 997_500_000 } },
    'debit of 1.00 EUR, credit of 1.00 EUR: balance 997.50 EUR',
  ],
  ['engine', { round: 3, rollbacks: [{ id: 't', ref: 'd' }] }, { code: 'ERR_BC', message: 'closed' }, 'bet: ERR_BC'],
  ['hub88', HUB88_BET, { status: 'RS_OK', balance: 99700000 }, 'bet of 1.00 USD: RS_OK, balance 997.00 USD'],
  // A tenth of the money is bonus money: cash alone would look like a loss of the player.
  [
    'pragmatic',
    { amount: '1.00', reference: 't', roundId: '3' },
    { error: 0, currency: 'USD', cash: '897.30', bonus: '99.70' },
    'bet of 1.00 USD: cash 897.30 USD + bonus 99.70 USD = 997.00 USD',
  ],
  ['pragmatic', { amount: '1.00', reference: 't', roundId: '3' }, { error: 1 }, 'bet of 1.00: error 1'],
  [
    'relax',
    { amount: 100, txid: 't', roundid: '3', currency: 'EUR' },
    { balance: 99700 },
    'bet of 1.00 EUR: balance 997.00 EUR',
  ],
  [
    'onewallet',
    { transaction: { id: 't', amount: 1 }, game: { id: '3' }, currency: 'EUR' },
    { status: 'OK', balance: 997.5, bonus: 0 },
    'bet of 1.00 EUR: OK, balance 997.50 EUR',
  ],
  [
    'slotegrator',
    { action: 'bet', amount: '100', transaction_id: 't', round_id: '3', currency: 'JPY' },
    { balance: 900 },
    'bet of 100 JPY: balance 900 JPY',
  ],
  [
    'softswiss',
    { transactions: BET_WIN, round_id: '3', currency: 'EUR' },
    { balance: '999.50' },
    'bet of 1.00 EUR, win of 0.50 EUR: balance 999.50 EUR',
  ],
])('a request of %s is shown with its ids and with amounts of the currency', (dialect, asked, answered, text) => {
  const meaning = aggregatorOf(dialect)?.aggregator.meaning?.(asked, answered, 'bet');
  if (meaning === undefined) throw new Error(`${dialect} has no meaning`);
  expect(meaningText(meaning)).toBe(text);
  expect(idsText(meaning)).toMatch(/^round 3 · transaction t/);
});

it('a refused launch shows the response of the server', async () => {
  const { submit } = await open();
  expect(await submit('launch', { gameID: 'unknown' })).toMatchObject({
    status: 502,
    text: expect.stringContaining('/launch: 404 {&quot;error&quot;:&quot;game&quot;}'),
  });
});

it('free rounds are given at the default bet, and the page says so once', async () => {
  const { page, submit, received, simulator } = await open();
  expect(await submit('free-rounds', {})).toMatchObject({ status: 303, to: '/?player=ann&currency=EUR' });
  expect(received).toMatchObject([{ path: '/dialects/tiny/grant', body: expect.stringContaining('"cents":"100"') }]);
  expect(simulator.world.memory.get('bet levels of slot')).toEqual([50n, 100n]);
  expect(await page()).toContain('ann has 5 free rounds of 1.00 EUR in slot');
  expect(await page()).not.toContain('free rounds of 1.00 EUR');
});

it('a new player has an account, in a currency of the games', async () => {
  const { page, submit } = await open();
  await submit('players', { player: 'zoe', currency: 'USD' });
  await submit('players', { player: 'zoe', currency: 'JPY' });
  const text = await page();
  expect(text).toContain('<strong>zoe</strong><span>1,000.00 USD</span>');
  expect(text).toContain('there is no currency JPY');
});

it('the games are those that the aggregator requests, with a message when it cannot', async () => {
  let listed = [{ gameID: 'slot', title: 'Listed' }];
  const games = async () => listed;
  const first = await open({ aggregator: { ...TINY.aggregator, games } });
  const text = await first.page();
  expect([text.includes('Listed'), text.includes('Refused')]).toEqual([true, false]);
  listed = [];
  expect(await first.page()).toContain('Listed');
  const failing = await open({ aggregator: { ...TINY.aggregator, games: () => Promise.reject(new Error('429')) } });
  expect(await failing.page()).toContain('The server does not list its games: 429');
});

it('a page of another origin cannot play', async () => {
  const { submit, simulator } = await open();
  expect(await submit('players', { player: 'zoe' }, { origin: 'http://other.example' })).toMatchObject({ status: 403 });
  expect(simulator.world.books.isOpen('zoe', 'EUR')).toBe(false);
});

it('without the option there is no lobby', async () => {
  const { simulator } = await start();
  expect((await fetch(simulator.origin)).status).toBe(404);
});

it.each([
  [0, 'EUR', '0.00 EUR'],
  [1_234_567_800_000, 'EUR', '1,234,567.80 EUR'],
  [1, 'EUR', '0.000001 EUR'],
  [1_234_500, 'KWD', '1.2345 KWD'],
  [1_234_000_000, 'JPY', '1,234 JPY'],
])('%i micros of %s are %s', (micros, currency, text) => {
  expect(microsText(micros, currency)).toBe(text);
});
