import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { CURRENCY_CODES } from '@roundhouse/contract';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { addLaunch, deleteExpired } from '../../src/ledger/queries/sessions.ts';
import { startPurge } from '../../src/sessions/purge.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { BOOK } from '../support/fixtureGame.ts';
import { expectBooksBalance, OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();

const DAY_MS = 86_400_000;
const RETENTION = { retentionMs: 30 * DAY_MS, limit: 500 };

/** As if the session, and the rounds of its player, were so many days older. */
async function age(sessionID: string, days: number): Promise<void> {
  const tokenSha256 = sha256Of(sessionID);
  await server.db.$executeRaw`
    UPDATE sessions SET expires_at = now() - ${days} * interval '1 day' WHERE token_sha256 = ${tokenSha256}`;
  await server.db.$executeRaw`
    UPDATE rounds SET opened_at = opened_at - ${days} * interval '1 day', closed_at = closed_at - ${days} * interval '1 day'
    WHERE session_id = (SELECT id FROM sessions WHERE token_sha256 = ${tokenSha256})`;
}

const isThere = async (sessionID: string) =>
  (await server.db.session.findUnique({ where: { tokenSha256: sha256Of(sessionID) } })) !== null;

async function launchThatExpired(days: number): Promise<Uint8Array<ArrayBuffer>> {
  const tokenSha256 = sha256Of(randomUUID());
  const operator = await server.db.operator.findUniqueOrThrow({ where: { code: OPERATOR } });
  const expiresAt = new Date(Date.now() - days * DAY_MS);
  const sealedToken = new Uint8Array(1);
  const game = { gameID: 'fixture', gameVersion: '1.0.0', currency: CURRENCY_CODES[0] ?? 'USD' };
  const launch = { operatorID: operator.id, externalID: undefined, country: undefined, jurisdiction: {}, sealedToken };
  await addLaunch(server.db, { ...launch, ...game, tokenSha256, expiresAt });
  return tokenSha256;
}

test('sessions and launches that expired long ago are deleted, younger ones and all rounds stay', async () => {
  const [old, young, live] = await Promise.all([server.liveSession(), server.liveSession(), server.liveSession()]);
  const { betID } = (await server.playBook(old, BOOK.pays0)).body.round;
  await server.post('/wallet/end-round', { sessionID: old });
  await age(old, 31);
  await age(young, 29);
  const [oldLaunch, youngLaunch] = [await launchThatExpired(31), await launchThatExpired(29)];
  expect(await deleteExpired(server.db, RETENTION)).toBe(false);
  expect(await Promise.all([old, young, live].map(isThere))).toEqual([false, true, true]);
  const launches = await server.db.launch.findMany({ select: { tokenSha256: true } });
  expect(launches.map(({ tokenSha256 }) => Buffer.from(tokenSha256).toString('hex'))).toEqual([
    Buffer.from(youngLaunch).toString('hex'),
  ]);
  expect(oldLaunch).not.toEqual(youngLaunch);
  expect(await server.db.round.count({ where: { id: betID } })).toBe(1);
  await expectBooksBalance(server.db);
});

test('a node that remembers a deleted session answers ERR_IS to it, and to all others as ever', async () => {
  const [deleted, live] = await Promise.all([
    server.liveSession({ token: 'comes back' }),
    server.liveSession({ token: 'stays' }),
  ]);
  const { round } = (await server.playBook(deleted, BOOK.pays150)).body;
  await age(deleted, 31);
  await deleteExpired(server.db, RETENTION);
  const calls = [
    ['/wallet/authenticate', {}],
    ['/wallet/balance', {}],
    ['/wallet/play', { amount: UNIT, mode: 'BASE' }],
    ['/wallet/end-round', {}],
    ['/bet/event', { event: 'seen' }],
  ] as const;
  for (const [path, body] of calls) {
    // Together, so that they meet in one batch.
    const [refused, answered] = await Promise.all([
      server.post(path, { sessionID: deleted, ...body }),
      server.post('/wallet/balance', { sessionID: live }),
    ]);
    expect([path, refused.status, refused.body.error, answered.status]).toEqual([path, 400, 'ERR_IS', 200]);
  }
  // The round is the player's, not the session's.
  const again = await server.liveSession({ token: 'comes back' });
  expect((await server.post('/wallet/authenticate', { sessionID: again })).body.round).toEqual(round);
  expect((await server.post('/wallet/end-round', { sessionID: again })).status).toBe(200);
});

test('two nodes delete in small steps until nothing is left, and leave each other’s rows alone', async () => {
  await server.liveSession();
  await server.db.$executeRaw`
    INSERT INTO sessions (token_sha256, player_id, account_id, game_version_id, jurisdiction, expires_at)
    SELECT sha256(n::text::bytea), s.player_id, s.account_id, s.game_version_id, '{}', now() - interval '40 days'
    FROM (SELECT * FROM sessions LIMIT 1) s, generate_series(1, 1200) n`;
  const expired = () => server.db.session.count({ where: { expiresAt: { lt: new Date(Date.now() - 30 * DAY_MS) } } });
  expect(await deleteExpired(server.db, RETENTION)).toBe(true);
  expect(await expired()).toBe(700);
  const log = pino({ level: 'silent' });
  const nodes = [1, 2].map(() => startPurge({ db: server.db, retentionMs: RETENTION.retentionMs, pauseMs: 10, log }));
  while ((await expired()) > 0) await wait(10);
  await Promise.all(nodes.map((node) => node.stop()));
});
