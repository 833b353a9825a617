import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { startOperator } from '../../src/operator.ts';
import { createTestDatabase } from '../support/database.ts';
import { BET, codeOf, ENGINE, mint, newBet, OPENING, send, useEngineOperator } from '../support/engineOperator.ts';
import type { TestResponse } from '../support/http.ts';
import { optionsFor } from '../support/testOperator.ts';

const operator = useEngineOperator();
let session: Awaited<ReturnType<typeof mint>>;
beforeEach(async () => {
  session = await mint(operator);
});

const bet = (round?: number) => newBet(operator, session, round);
const STATUS: Record<string, number> = { ERR_BNF: 404, ERR_GE: 500 };

/** It is refused with this code, and moves nothing. */
async function expectRefused(code: string, ask: () => Promise<TestResponse>): Promise<void> {
  const before = await bet().balance();
  expect(await ask()).toEqual({ status: STATUS[code] ?? 400, body: { code, message: expect.any(String) } });
  expect(await bet().balance()).toBe(before);
}

async function setRules(rules: object): Promise<void> {
  const { status } = await operator.api('PUT', `/bench/players/${session.player}`, { currency: 'EUR', ...rules });
  expect(status).toBe(200);
}

it('a debit above the daily loss limit takes nothing and leaves no round', async () => {
  await setRules({ dailyLossLimit: BET });
  const first = bet();
  expect(codeOf(await first.debit())).toBe('done');
  const second = bet();
  await expectRefused('ERR_IPB', () => second.debit());
  await expectRefused('ERR_BNF', () => second.credit());
  expect(codeOf(await first.rollback())).toBe('done');
  expect(codeOf(await bet().debit())).toBe('done');
});

it.each([
  ['whose login has expired', { loginExpiresAt: '2020-01-01T00:00:00Z' }],
  ['in a blocked country', { country: 'KP' }],
])('a player %s gets no balance and no bet, and their win', async (_what, rules) => {
  const first = bet();
  await first.debit();
  await setRules(rules);
  expect(codeOf(await send(operator, 'balance', JSON.stringify({ token: session.token })))).toBe('ERR_IS');
  expect(codeOf(await bet().debit())).toBe('ERR_IS');
  const { status, body } = await first.credit();
  expect([status, body.balance.amount]).toEqual([200, OPENING + BET]);
});

it.each([
  ['debit', { mode: 'BONUS' }, (each: ReturnType<typeof bet>, changes: object) => each.debit(changes)],
  ['debit', { active: false }, (each: ReturnType<typeof bet>, changes: object) => each.debit(changes)],
  ['credit', { active: true }, (each: ReturnType<typeof bet>, changes: object) => each.credit(changes)],
])('the id of a %s with other content, such as %j, is ERR_BAD', async (_name, changes, ask) => {
  const each = bet();
  await each.debit();
  await ask(each, {});
  await expectRefused('ERR_BAD', () => ask(each, changes));
});

it('a repeated debit brings no win along', async () => {
  const each = bet();
  await each.debit();
  await expectRefused('ERR_BAD', () => each.debit({ active: false, credit: each.win }));
  await expectRefused('ERR_BAD', () => bet().debit({ active: false, credit: each.win }));
  const open = bet();
  await expectRefused('ERR_BAD', () => open.debit({ credit: open.win }));
});

it('a rollback of several debits returns all or none', async () => {
  const [first, second] = [bet(), bet()];
  await first.debit();
  await second.debit();
  const rollbacks = [first, second].map(({ id }) => ({ id: randomUUID(), ref: id }));
  await expectRefused('ERR_BAD', () => first.rollback({ rollbacks }));
  expect(codeOf(await first.credit())).toBe('done');
});

it('a win that the balance cannot hold is uncertain, and undoes its stake', async () => {
  const each = bet();
  const win = { ...each.win, amount: Number.MAX_SAFE_INTEGER };
  await expectRefused('ERR_GE', () => each.debit({ active: false, credit: win }));
  expect(codeOf(await each.debit({ active: false, credit: each.win }))).toBe('done');
});

it.each<[string, string, object]>([
  ['a round in text', 'debit', { round: '7' }],
  ['a round below 0', 'debit', { round: -7 }],
  ['a mode that cannot be stored', 'debit', { mode: '\0' }],
  ['an id that is no UUID', 'debit', { debit: { id: '7', amount: BET, currency: 'EUR' } }],
  ['no address', 'credit', { ip: undefined }],
  ['a win of another debit', 'credit', { credit: { id: randomUUID(), amount: 1, ref: 'x', currency: 'EUR' } }],
  ['no debit to roll back', 'rollback', { rollbacks: [] }],
])('%s is ERR_BAD', async (_what, name, changes) => {
  const each = bet();
  if (name !== 'debit') await each.debit();
  await expectRefused('ERR_BAD', () => each[name as 'debit' | 'credit' | 'rollback'](changes));
});

it('while the database fails, every result is uncertain', async () => {
  const lost = await createTestDatabase();
  const other = await startOperator({ ...optionsFor(lost, operator.rgs), ...ENGINE });
  const each = newBet(other, await mint(other));
  await lost.drop();
  const asked = [() => each.debit(), () => each.credit(), () => each.rollback()];
  const responses = [];
  for (const ask of asked) responses.push(await ask());
  expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
  expect(responses.map(codeOf)).toEqual(['ERR_GE', 'ERR_GE', 'ERR_UE']);
  await other.close();
});

it('the minting of sessions serves pages of this machine alone', async () => {
  const mintFrom = (origin: string) =>
    fetch(`${operator.url}/wallet/v1/dev/session`, { method: 'POST', headers: { origin } });
  expect((await mintFrom('https://elsewhere.example')).status).toBe(403);
  expect((await mintFrom(operator.url)).status).toBe(200);
});
