import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BET, codeOf, KEYS, mint, newBet, OPENING, useEngineOperator } from '../support/engineOperator.ts';
import type { TestResponse } from '../support/http.ts';
import type { TestOperator } from '../support/testOperator.ts';

const operator = useEngineOperator();
let session: Awaited<ReturnType<typeof mint>>;
beforeEach(async () => {
  session = await mint(operator);
});

const bet = (round?: number) => newBet(operator, session, round);
const balance = () => bet().balance();
const COUNT = 20;
const RACES = 10;

function atOnce(send: () => Promise<TestResponse>): Promise<TestResponse[]> {
  return Promise.all(Array.from({ length: COUNT }, send));
}

const REPEATED = [
  ['debit', false, (each: Bet) => each.debit(), -1],
  ['debit with its win', false, (each: Bet) => each.debit({ active: false, credit: each.win }), 1],
  ['credit', true, (each: Bet) => each.credit(), 1],
  ['rollback of one debit, with other ids', true, (each: Bet) => each.rollback(), 0],
  ['rollback of an unknown debit', false, (each: Bet) => each.rollback(), 0],
] as const;
type Bet = ReturnType<typeof bet>;

it.each(REPEATED)('the same %s, twenty times at once, moves its money once', async (_what, isDebited, send, moved) => {
  const each = bet();
  if (isDebited) await each.debit();
  const responses = await atOnce(() => send(each));
  const [first] = responses;
  expect(first?.status).toBe(200);
  // Also the wallet's own ids are the same.
  for (const response of responses) expect(response).toEqual(first);
  expect(await balance()).toBe(OPENING + moved * BET);
});

it('a delivery that the network doubles moves its money once', async () => {
  const faults = [{ kind: 'duplicate', next: 3, seconds: 600 }];
  expect((await operator.api('PUT', '/bench/wallet-faults', { faults })).status).toBe(200);
  const each = bet();
  expect([await each.debit(), await each.credit(), await bet().rollback()].map(codeOf)).toEqual(Array(3).fill('done'));
  expect(await balance()).toBe(OPENING + BET);
});

it('debits that together exceed the balance: only the balance is taken', async () => {
  const money = (id: string) => ({ id, amount: (2 * OPENING) / COUNT, currency: session.currency });
  const codes = (
    await atOnce(() => {
      const each = bet();
      return each.debit({ debit: money(each.id) });
    })
  ).map(codeOf);
  expect(codes.sort()).toEqual([...Array(COUNT / 2).fill('ERR_IPB'), ...Array(COUNT / 2).fill('done')]);
  expect(await balance()).toBe(0);
});

describe('of two requests at once the second meets what the first has done', () => {
  /** Sends pairs at once, and returns their codes. */
  async function race(pair: () => Promise<Promise<TestResponse>[]>): Promise<string[]> {
    const seen: string[] = [];
    for (let time = 0; time < RACES; time += 1) seen.push((await Promise.all(await pair())).map(codeOf).join(' '));
    return seen;
  }
  const expectOnly = (seen: string[], ...allowed: string[]) =>
    expect(seen.filter((codes) => !allowed.includes(codes))).toEqual([]);

  it('a debit and its rollback: returned, or never taken', async () => {
    const seen = await race(async () => {
      const each = bet();
      return [each.debit(), each.rollback()];
    });
    expectOnly(seen, 'done done', 'ERR_BAD done');
    expect(await balance()).toBe(OPENING);
  });

  it('a credit and a rollback: one of them', async () => {
    const seen = await race(async () => {
      const each = bet();
      await each.debit();
      return [each.credit({ credit: { ...each.win, amount: BET } }), each.rollback()];
    });
    expectOnly(seen, 'done ERR_BC', 'ERR_BC done');
    expect(await balance()).toBe(OPENING);
  });

  it('two credits that close a round: one of them', async () => {
    const seen = await race(async () => {
      const each = bet();
      await each.debit();
      return [each.credit(), each.credit({ credit: { ...each.win, id: bet().id } })];
    });
    expectOnly(seen, 'done ERR_BC', 'ERR_BC done');
    expect(await balance()).toBe(OPENING + RACES * BET);
  });

  it('one round of two players belongs to one of them', async () => {
    const other = await mint(operator);
    const seen = await race(async () => {
      const each = bet();
      return [each.debit(), newBet(operator, other, each.round).debit()];
    });
    expectOnly(seen, 'done ERR_IS', 'ERR_IS done');
  });
});

it('after SIGKILL amid debits, their repetition takes each stake once', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-operator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = path.join(folder, 'engine.json');
  const pem = { privateKey: KEYS.operator.privateKey, rgsPublicKey: KEYS.rgs.publicKey };
  await writeFile(
    settings,
    JSON.stringify({
      privateKey: pem.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      rgsPublicKey: pem.rgsPublicKey.export({ type: 'spki', format: 'pem' }),
    }),
  );
  const first = await start(settings);
  const shots = Array.from({ length: COUNT }, () => newBet(first, session));
  const sent = shots.map((each) => each.debit({ active: false, credit: each.win }));
  const responses = Promise.allSettled(sent);
  // The others are in flight, done or not yet read.
  await Promise.any(sent);
  first.child.kill('SIGKILL');
  await responses;
  const second = await start(settings);
  for (const shot of shots) {
    const again = { ...shot, ...newBet(second, session, shot.round), id: shot.id, win: shot.win };
    const money = { id: shot.id, amount: BET, currency: session.currency };
    expect(codeOf(await again.debit({ active: false, debit: money, credit: shot.win }))).toBe('done');
  }
  expect(await newBet(second, session).balance()).toBe(OPENING + COUNT * BET);
});

const PROGRAM = fileURLToPath(new URL('../../bin/operator.js', import.meta.url));

/** Starts the built program on the same database. */
async function start(settings: string): Promise<TestOperator & { child: ChildProcess }> {
  const child = fork(PROGRAM, ['--dialect', 'engine', '--dialect-settings', settings], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: operator.database.url,
      ROUNDHOUSE_OPERATOR_RGS_URL: operator.rgs.url,
      ROUNDHOUSE_OPERATOR_LISTEN_PORT: '0',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the operator ended')));
  ended.catch(() => {});
  const [{ url }] = await Promise.race([once(child, 'message'), ended]);
  return { ...operator, url, child };
}
