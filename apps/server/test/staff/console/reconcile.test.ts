import { randomUUID } from 'node:crypto';
import type { ReconcileLine, ReconcileResult } from '@roundhouse/contract/admin';
import { expect, it } from 'vitest';
import { useTestAdmin } from '../../support/adminServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { gate } from '../../support/gate.ts';
import { addSeamlessOperator, useSeamlessServer } from '../../support/seamlessServer.ts';
import { OPERATOR } from '../../support/testServer.ts';

const server = useSeamlessServer();
const admin = useTestAdmin(server);
const FINANCE = { role: 'finance', email: 'fin@server.example' } as const;

type Line = { kind: string } & Record<string, unknown>;

const reconcile = (operator: string, body: object = {}, user: Parameters<typeof admin.as>[0] = FINANCE) =>
  admin.as(user).call('reconcileOperator', { params: { operator }, body });
const linesOf = ({ text }: { text: string }): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const untilNow = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 1).toISOString(),
});

/** Plays a round that pays, with the operator's wallet. */
async function playedRound(): Promise<number> {
  const sessionID = await server.seamlessSession();
  const { body } = await server.playBook(sessionID, BOOK.pays150);
  await server.endRound(sessionID);
  await server.settled();
  return body.round.betID;
}

it('counts what agrees, with progress, and leaves one event of the user', async () => {
  await playedRound();
  const response = await reconcile('acme', untilNow());
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  const lines = linesOf(response);
  expect(lines.some(({ kind, done, total }) => kind === 'progress' && Number(done) > 0 && total === null)).toBe(true);
  expect(lines.at(-1)).toMatchObject({ kind: 'result', operator: 'acme', differences: 0, shown: 0, unsettled: 0 });
  const { ours, theirs } = lines.at(-1) as unknown as ReconcileResult;
  expect(ours).toBeGreaterThan(1);
  expect(theirs).toBe(ours);
  const events = await server.db.significantEvent.findMany({ where: { kind: 'console_action' } });
  expect(events.at(-1)).toMatchObject({ actor: `user:${FINANCE.email}`, subject: 'request reconcileOperator' });
});

it('names each difference with both sides', async () => {
  const betID = await playedRound();
  const debit = await server.db.walletTransaction.findFirstOrThrow({
    where: { roundId: BigInt(betID), kind: 'debit' },
  });
  const key = { where: { transactionId: debit.transactionId } };
  await server.db.walletTransaction.update({ ...key, data: { amountMicros: 3n } });
  const lines = linesOf(await reconcile('acme', untilNow()));
  await server.db.walletTransaction.update({ ...key, data: { amountMicros: debit.amountMicros } });
  const [difference, ...others] = lines.filter(({ kind }) => kind === 'line') as unknown as ReconcileLine[];
  expect(others).toEqual([]);
  expect(difference).toMatchObject({
    ...{ difference: 'unlike', transactionID: debit.transactionId, fields: ['amount'] },
    what: 'in their list amount 1.00',
    ours: { betID: String(betID), amount: 3, state: 'accepted' },
    theirs: { betID: String(betID), amount: 1_000_000 },
  });
  expect(lines.at(-1)).toMatchObject({ differences: 1, shown: 1 });
});

it('refuses clearly where there is nothing to compare', async () => {
  expect(await reconcile(OPERATOR)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('house wallet') },
  });
  expect((await reconcile('nobody')).status).toBe(404);
  expect((await reconcile('a\0')).status).toBe(400);
  expect((await reconcile('acme', { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' })).body).toMatchObject({
    message: expect.stringContaining('31 days'),
  });
  const backwards = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  expect((await reconcile('acme', backwards)).body.message).toContain('There is no time');
  expect((await reconcile('acme', { from: 'today' })).status).toBe(400);
});

it('says that a dialect has no list', async () => {
  const code = `dialect-${randomUUID().slice(0, 8)}`;
  await addSeamlessOperator(server.db, { code, url: server.wallet.url });
  await server.db.operator.update({
    where: { code },
    data: { dialect: 'softswiss', dialectSettings: JSON.stringify({ casinos: [{ id: 'acme', token: 'a token' }] }) },
  });
  const { status, body } = await reconcile(code);
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('does not offer a list') },
  });
});

it('ends with an error when the wallet does not respond', async () => {
  const code = `away-${randomUUID().slice(0, 8)}`;
  await addSeamlessOperator(server.db, { code, url: 'http://127.0.0.1:9' });
  expect(linesOf(await reconcile(code)).at(-1)).toMatchObject({ kind: 'error', error: 'ERR_GEN' });
});

it('runs one comparison of an operator at a time, and the next one when its reader has gone', async () => {
  const code = `slow-${randomUUID().slice(0, 8)}`;
  await addSeamlessOperator(server.db, { code, url: server.wallet.url, timeoutMs: 60_000 });
  const { opened, open } = gate();
  server.wallet.next('/transactions', { kind: 'before', run: () => opened });
  const first = reconcile(code, untilNow());
  await expect.poll(() => server.wallet.callsTo('/transactions')).toHaveLength(1);
  for (const user of [FINANCE, { role: 'finance', operator: code } as const]) {
    const { status, body } = await reconcile(code, untilNow(), user);
    expect(status).toBe(409);
    expect(body).toMatchObject({ by: `user:${FINANCE.email}`, message: expect.stringContaining('runs already') });
  }
  open();
  expect((await first).status).toBe(200);
  expect((await reconcile(code, untilNow())).status).toBe(200);
});

it("of another operator is like of none for an operator's user", async () => {
  const user = { role: 'finance', operator: OPERATOR } as const;
  const [others, none] = [await reconcile('acme', {}, user), await reconcile('nobody', {}, user)];
  expect([others.status, others.body]).toEqual([404, none.body]);
  expect((await reconcile('acme', untilNow(), { role: 'finance', operator: 'acme' })).status).toBe(200);
});
