import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startPurge } from '../../../src/rounds/sessions/purge.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { addRoundTraces, deleteOldRoundTraces } from '../../../src/store/rounds/roundTraces.ts';
import { addLaunch, deleteExpired } from '../../../src/store/rounds/sessions.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { DAY_MS, leaveFor } from '../../support/moveTime.ts';
import { ENDPOINTS, expectBooksBalance, OPERATOR, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();

const RETENTION = { retentionMs: 30 * DAY_MS, limit: 500 };

/** Makes the session, and the rounds of its player, older by this number of days. */
async function age(sessionID: string, days: number): Promise<void> {
  const tokenSha256 = sha256Of(sessionID);
  await server.db.$executeRaw`
    UPDATE sessions SET expires_at = now() - ${days} * interval '1 day' WHERE token_sha256 = ${tokenSha256}`;
  await leaveFor(server, sessionID, days);
}

async function launchThatExpired(days: number): Promise<string> {
  const tokenSha256 = sha256Of(randomUUID());
  const { id: operatorID } = await server.db.operator.findUniqueOrThrow({ where: { code: OPERATOR } });
  const game = { gameID: 'fixture', gameVersion: '1.0.0', currency: 'USD' } as const;
  const player = { externalID: undefined, country: undefined, jurisdiction: {}, sealedToken: new Uint8Array(1) };
  const expiresAt = new Date(Date.now() - days * DAY_MS);
  await addLaunch(server.db, { operatorID, ...player, ...game, tokenSha256, expiresAt });
  return Buffer.from(tokenSha256).toString('hex');
}

it('sessions and launches that expired long ago are deleted, younger ones and all rounds stay', async () => {
  const [old, young, live] = await Promise.all([server.liveSession(), server.liveSession(), server.liveSession()]);
  const { betID } = (await server.playBook(old, BOOK.pays0)).body.round;
  await server.post('/wallet/end-round', { sessionID: old });
  await age(old, 31);
  await age(young, 29);
  const [, youngLaunch] = [await launchThatExpired(31), await launchThatExpired(29)];
  expect(await deleteExpired(server.db, RETENTION)).toBe(false);
  const sessions = [old, young, live].map((sessionID) =>
    server.db.session.count({ where: { tokenSha256: sha256Of(sessionID) } }),
  );
  expect(await Promise.all(sessions)).toEqual([0, 1, 1]);
  const launches = await server.db.launch.findMany();
  expect(launches.map(({ tokenSha256 }) => Buffer.from(tokenSha256).toString('hex'))).toEqual([youngLaunch]);
  expect(await server.db.round.count({ where: { id: betID } })).toBe(1);
  await expectBooksBalance(server.db);
});

it('traces of rounds are deleted after a week, a limited number at a time', async () => {
  const rounds = [1n, 2n, 3n];
  await addRoundTraces(
    server.db,
    rounds.map((roundID) => ({ roundID, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })),
  );
  await server.db.$executeRaw`
    UPDATE round_traces SET created_at = now() - interval '7 days' - round_id * interval '1 second' WHERE round_id > 1`;
  const left = async () => (await server.db.roundTrace.findMany()).map(({ roundId }) => roundId).sort();
  expect(await deleteOldRoundTraces(server.db, { limit: 1 })).toBe(true);
  expect(await left()).toEqual([1n, 2n]);
  expect(await deleteOldRoundTraces(server.db, { limit: 2 })).toBe(false);
  expect(await left()).toEqual([1n]);
});

it('a node that remembers a deleted session responds ERR_IS to it, and to all others as ever', async () => {
  const [deleted, live] = [await server.liveSession({ token: 'comes back' }), await server.liveSession()];
  const { round } = (await server.playBook(deleted, BOOK.pays150)).body;
  await age(deleted, 31);
  await deleteExpired(server.db, RETENTION);
  for (const { path, more } of ENDPOINTS) {
    // They start together, so that they meet in one batch.
    const [refused, answered] = await Promise.all([
      server.post(path, { sessionID: deleted, ...more }),
      server.post('/wallet/balance', { sessionID: live }),
    ]);
    expect([path, refused.status, refused.body.error, answered.status]).toEqual([path, 400, 'ERR_IS', 200]);
  }
  // The round is the player's, not the session's.
  const again = await server.liveSession({ token: 'comes back' });
  expect((await server.post('/wallet/authenticate', { sessionID: again })).body.round).toEqual(round);
  expect((await server.post('/wallet/end-round', { sessionID: again })).status).toBe(200);
});

it('two nodes delete in small steps until nothing is left, and leave each other’s rows alone', async () => {
  await server.liveSession();
  await server.db.$executeRaw`
    INSERT INTO sessions (token_sha256, player_id, account_id, game_version_id, game_id, jurisdiction, expires_at)
    SELECT sha256(n::text::bytea), s.player_id, s.account_id, s.game_version_id, s.game_id, '{}', now() - interval '40 days'
    FROM (SELECT * FROM sessions LIMIT 1) s, generate_series(1, 1200) n`;
  const expired = () => server.db.session.count({ where: { expiresAt: { lt: new Date(Date.now() - 30 * DAY_MS) } } });
  expect(await deleteExpired(server.db, RETENTION)).toBe(true);
  expect(await expired()).toBe(700);
  const options = { db: server.db, retentionMs: RETENTION.retentionMs, pauseMs: 10, log: pino({ level: 'silent' }) };
  const nodes = [startPurge(options), startPurge(options)];
  await expect.poll(expired).toBe(0);
  await Promise.all(nodes.map((node) => node.stop()));
});
