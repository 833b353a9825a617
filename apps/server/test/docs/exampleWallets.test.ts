import { randomUUID } from 'node:crypto';
import { signCall, toMicros } from '@roundhouse/contract';
import { checkWallet } from '@roundhouse/wallet-check';
import { expect, it, onTestFinished } from 'vitest';
import { EXAMPLE_WALLETS, SESSION_ID, startExampleWallet } from './exampleWallet.ts';
import { type Example, examplesOf, expectPromised } from './protocolExamples.ts';

const LANGUAGES = Object.keys(EXAMPLE_WALLETS) as (keyof typeof EXAMPLE_WALLETS)[];

async function start(language: keyof typeof EXAMPLE_WALLETS, secret: string) {
  const wallet = await startExampleWallet(EXAMPLE_WALLETS[language], { secret });
  onTestFinished(() => wallet.stop());
  return wallet;
}

/** A body that is an object is sent as JSON. */
async function post(url: string, { path, ...sent }: { path: string; body: unknown }, secret: string) {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const body = typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  const call = { direction: 'to-operator', method: 'POST', path, body } as const;
  const headers = { ...signCall(call, { secret, nowSeconds }), 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

it.each(LANGUAGES)(
  'the wallet in %s keeps every rule of wallet-check, with either of two secrets',
  async (language) => {
    const [first, next] = [`first-${randomUUID()}`, `next-${randomUUID()}`];
    const { url, output } = await start(language, `${first},${next}`);
    const session = { sessionID: SESSION_ID, expiredSessionID: `${SESSION_ID}-ended`, gameID: 'a-game' };
    const bet = toMicros(1_000_000);
    const outcome = await checkWallet({ baseUrl: url, secret: next, ...session, bet, freeRounds: true });
    if (!outcome.ok) expect.fail(`${outcome.why}\n${output()}`);
    const { results } = outcome.report;
    expect(
      results.filter((result) => result.outcome !== 'pass'),
      output(),
    ).toEqual([]);
    const body = { sessionID: SESSION_ID, gameID: 'a-game' };
    expect(await post(url, { path: '/authenticate', body }, first)).toMatchObject({ status: 200 });
  },
);

it.each(LANGUAGES)('the wallet in %s responds as docs/wallet-protocol.md says', async (language) => {
  const secret = randomUUID();
  const { url } = await start(language, secret);
  const examples = examplesOf('wallet-protocol.md').filter(({ path }) => !path.startsWith('/operator/'));
  for (const example of examples) {
    const { path, body = '' } = example as Example;
    expectPromised(await post(url, { path, body }, secret), example);
  }
});

it.each(LANGUAGES)(
  'the wallet in %s takes each of many debits at the same moment, and nothing malformed',
  async (language) => {
    const secret = randomUUID();
    const { url } = await start(language, secret);
    const player = { playerID: 'player-7', gameID: 'fixture', currency: 'USD' };
    const debit = (more: object = {}) => {
      const bet = { sessionID: SESSION_ID, ...player, amount: 1_000_000, mode: 'BASE' };
      return { transactionID: randomUUID(), roundID: '1', ...bet, ...more };
    };
    const sent = Array.from({ length: 60 }, () => post(url, { path: '/debit', body: debit() }, secret));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(60).fill(200));
    const malformed: [path: string, body: unknown][] = [
      ['/debit', debit({ sessionID: ['a'] })],
      ['/debit', debit({ amount: true })],
      ['/debit', debit({ playerID: {} })],
      ['/balance', { ...player, playerID: ['player-7'] }],
      ['/authenticate', { sessionID: { a: 1 } }],
      ['/close-rounds', { rounds: {} }],
      ['/transactions', { from: 7 }],
      ['/transactions', []],
      ['/unknown', {}],
    ];
    for (const [path, body] of malformed) {
      const refusal = { body: { error: path === '/authenticate' ? 'ERR_IS' : 'ERR_VAL' } };
      const status = path === '/unknown' ? 404 : 400;
      const response = await post(url, { path, body }, secret);
      expect(response, `${path} ${JSON.stringify(body)}`).toMatchObject({ ...refusal, status });
    }
    const results = [{ error: 'ERR_VAL' }, { error: 'ERR_VAL' }];
    const closed = await post(url, { path: '/close-rounds', body: { rounds: [null, 7] } }, secret);
    expect(closed).toMatchObject({ status: 200, body: { results } });
    const body = { sessionID: SESSION_ID, ...player };
    const balance = await post(url, { path: '/balance', body }, secret);
    expect(balance).toEqual({ status: 200, body: { balance: 940_000_000 } });
  },
);
