import { expect, it } from 'vitest';
import { unitsText } from '../src/kit/lobby/page.ts';
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
  const meaning = () => 'a bet of 2.50';
  const { page, submit, move } = await open({ aggregator: { ...TINY.aggregator, meaning } });
  expect(await submit('launch', {})).toMatchObject({ status: 303, to: 'http://game/?session=1' });
  await move('a', 'bet', 250);
  const live = await page('/live');
  expect(live).toContain('<strong>ann</strong><span>997.50 EUR</span>');
  expect(live).toContain('a bet of 2.50');
  expect(live).toContain('&quot;cents&quot;: 99750');
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
  [0, '0.00'],
  [1_234_567_800_000, '1,234,567.80'],
  [1, '0.000001'],
  [1_234_500, '1.2345'],
])('%i micros are %s', (micros, text) => {
  expect(unitsText(micros)).toBe(text);
});
