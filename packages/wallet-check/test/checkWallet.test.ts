import { toMicros } from '@roundhouse/contract';
import { expect, it } from 'vitest';
import { WALLET_RULES } from '../src/checkWallet.ts';
import { OPENING_BALANCE } from '../src/fakeWallet/books.ts';
import { check, idsOf, openWallet, reportOf } from './checking.ts';

const ALL_IDS = WALLET_RULES.map(({ id }) => id);
const EVERYTHING = { freeRounds: true, closingDebits: true };
const idsOfGroup = (group: string) => ALL_IDS.filter((id) => id.startsWith(`${group}.`));

it('an honest wallet passes whole, and its player has what they had', async () => {
  const wallet = await openWallet();
  const report = await reportOf(wallet, EVERYTHING);
  expect(report.results.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  expect(report.results.map(({ id }) => id)).toEqual(ALL_IDS);
  expect(report).toMatchObject({
    player: { playerID: 'player-7', currency: 'USD', balance: OPENING_BALANCE },
    balanceAtEnd: OPENING_BALANCE,
  });
  expect(wallet.balance()).toBe(OPENING_BALANCE);
});

it('a rule has one name and one sentence', () => {
  expect(new Set(ALL_IDS).size).toBe(ALL_IDS.length);
  for (const { id, rule } of WALLET_RULES) {
    expect(id).toMatch(/^[a-z]+\.[a-z-]+$/);
    expect(rule).toMatch(/^[A-Z].*[A-Za-z0-9]\.$/);
  }
});

it('a check can be repeated on the same wallet', async () => {
  const wallet = await openWallet();
  await reportOf(wallet, EVERYTHING);
  expect(idsOf(await reportOf(wallet, EVERYTHING), 'fail')).toEqual([]);
});

it('a wallet that begins its responses with a byte order mark passes, as the server reads it', async () => {
  expect(idsOf(await reportOf(await openWallet({ before: '\ufeff' })), 'fail')).toEqual([]);
});

it('the report says so when a wallet compresses its responses', async () => {
  const wallet = await openWallet({ headers: { 'content-encoding': 'gzip' } });
  expect(await check(wallet)).toEqual({ ok: false, why: 'the body is gzip; identity was asked for' });
});

it('a wallet that takes longer than the operator allows gives no response', async () => {
  const wallet = await openWallet();
  wallet.next('/authenticate', { kind: 'hang', done: false });
  expect(await check(wallet, { timeoutMs: 100 })).toEqual({ ok: false, why: 'time-out' });
});

it('a wallet that need not know free rounds and debits that close gets no field of them, and passes', async () => {
  const wallet = await openWallet();
  const report = await reportOf(wallet);
  expect(report.results.map(({ id }) => id)).toEqual(ALL_IDS.filter((id) => !/^(free|lost)\./.test(id)));
  expect(idsOf(report, 'fail')).toEqual([]);
  expect(JSON.stringify(wallet.calls)).not.toMatch(/grantID|freeBet|grantClosed/);
});

it('a wallet that does not list its transactions passes', async () => {
  const report = await reportOf(await openWallet({ lists: false }));
  expect(idsOf(report, 'fail')).toEqual([]);
  expect(idsOf(report, 'not testable')).toEqual(idsOfGroup('transactions'));
});

it('a wallet that does not close rounds in groups passes', async () => {
  const wallet = await openWallet({ closes: false });
  const report = await reportOf(wallet, EVERYTHING);
  expect(idsOf(report, 'fail')).toEqual([]);
  expect(idsOf(report, 'not testable')).toEqual([...idsOfGroup('closings'), 'free.closing']);
  expect(report.results.find(({ id }) => id === 'closings.each')).toMatchObject({
    why: 'the wallet has no /close-rounds (404), which is optional',
  });
  expect(wallet.balance()).toBe(OPENING_BALANCE);
});

it('without an expired session that one rule is not testable', async () => {
  const { url, secret, sessionID } = await openWallet();
  const report = await reportOf({ url, secret, sessionID });
  expect(idsOf(report, 'fail')).toEqual([]);
  expect(idsOf(report, 'not testable')).toEqual(['authenticate.expired-session']);
});

it('a player who cannot cover the bets leaves what needs a bet untested', async () => {
  const wallet = await openWallet();
  const report = await reportOf(wallet, { bet: toMicros(OPENING_BALANCE), ...EVERYTHING });
  expect(idsOf(report, 'fail')).toEqual([]);
  expect(idsOf(report, 'not testable')).toEqual(
    expect.arrayContaining([...idsOfGroup('debit'), 'credit.exact', ...idsOfGroup('free')]),
  );
  expect(report.results.find(({ id }) => id === 'debit.exact')).toMatchObject({
    why: `the player's balance of ${OPENING_BALANCE} micros is less than 4 bets of ${OPENING_BALANCE}`,
  });
  expect(wallet.balance()).toBe(OPENING_BALANCE);
});

it('with a secret that is not the wallet’s authenticate fails and money is not tested', async () => {
  const wallet = await openWallet();
  const report = await reportOf({ ...wallet, secret: 'another' });
  expect(idsOf(report, 'fail')).toEqual(idsOfGroup('authenticate'));
  expect(idsOf(report, 'pass')).toEqual(['health.up']);
  expect(report).toMatchObject({ player: undefined, balanceAtEnd: undefined });
});

it('a failed rule shows its requests and responses, without secrets and sessions', async () => {
  const wallet = await openWallet({ broken: 'takes early signatures' });
  const report = await reportOf(wallet);
  expect(report.results.find(({ outcome }) => outcome === 'fail')).toMatchObject({
    id: 'signature.too-new',
    why: expect.stringMatching(/^\/debit answered 200 .*, expected 401$/),
    exchanges: [
      {
        call: { path: '/balance', signed: 'signed' },
        response: { status: 200, body: JSON.stringify({ balance: OPENING_BALANCE }) },
      },
      {
        call: {
          path: '/debit',
          signed: 'signed 315 s ahead',
          body: expect.stringContaining('"sessionID":"<sessionID>"'),
        },
        response: { status: 200, body: expect.stringContaining(`"balance":${OPENING_BALANCE - 1_000_000},`) },
      },
    ],
  });
  const all = JSON.stringify(report);
  for (const hidden of [wallet.secret, wallet.sessionID, wallet.expiredSessionID]) expect(all).not.toContain(hidden);
});

it('rules that look back show only the responses that break them', async () => {
  const report = await reportOf(await openWallet({ broken: 'refuses with an unknown code' }));
  expect(report.results.find(({ id }) => id === 'responses.codes')).toMatchObject({
    why: '/rollback: a refusal (404) without a code of the contract, and 1 more like it',
    exchanges: [{ response: { status: 404 } }, { response: { status: 404 } }],
  });
});

it('nobody at the address', async () => {
  const wallet = await openWallet();
  await wallet.close();
  expect(await check(wallet)).toEqual({ ok: false, why: 'ECONNREFUSED' });
});

it('a wallet that goes away ends the run', async () => {
  const wallet = await openWallet();
  const seen: string[] = [];
  const onResult = ({ id }: { id: string }) => {
    seen.push(id);
    if (id === 'debit.exact') void wallet.close();
  };
  expect(await check(wallet, { onResult })).toEqual({
    ok: false,
    why: expect.stringMatching(/^\S+ since debit.repeat$/),
  });
  expect(seen.at(-1)).toBe('debit.repeat');
});

it('told to stop, it ends after the rule under way and gives the bet back', async () => {
  const wallet = await openWallet();
  const stop = new AbortController();
  const seen: string[] = [];
  const onResult = ({ id }: { id: string }) => {
    seen.push(id);
    if (id === 'debit.exact') stop.abort(new Error('stopped'));
  };
  await expect(check(wallet, { onResult, signal: stop.signal })).rejects.toThrow('stopped');
  expect(seen.at(-1)).toBe('debit.exact');
  expect(wallet.balance()).toBe(OPENING_BALANCE);
});
