import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { aggregatorOf } from '@roundhouse/aggregators';
import { afterEach, expect, it } from 'vitest';
import { changeOperator } from '../../../src/operators/settings/changeOperator.ts';
import { expectPlayersAgree } from '../../proofs/chaos/agreement.ts';
import { OPERATOR_CODE, startOperator } from '../../proofs/chaos/processes.ts';
import { api } from '../../proofs/chaos/simulate.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { sessionOf } from '../../support/rgsCalls.ts';
import { secretFile, succeed } from '../../support/roundhouse.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { OPENING, startTestServer, UNIT } from '../../support/testServer.ts';
import { useStarted } from '../../support/useStarted.ts';

const TEAM_ID = 7;
const WALLET_TIMEOUT_MS = 2500;
const encoding = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;

/** The real server, and the reference operator with the dialect. Both keep their books. */
async function startBoth() {
  const [ours, theirs] = [generateKeyPairSync('ed25519', encoding), generateKeyPairSync('ed25519', encoding)];
  const server = await startTestServer({ recovery: true, secretsKey: randomBytes(32).toString('hex') });
  const keys = JSON.stringify({ privateKey: theirs.privateKey, rgsPublicKey: ours.publicKey });
  const operator = await startOperator({
    ...{ databaseUrl: server.databaseUrl, rgsUrl: server.url },
    args: ['--dialect', 'engine', '--dialect-settings', await secretFile(keys)],
  });
  const wallet = `${operator.url}/wallet`;
  const settings = JSON.stringify({
    ...{ operator: OPERATOR_CODE, privateKey: ours.privateKey, operatorPublicKeys: [theirs.publicKey] },
    ...{ teamID: TEAM_ID, healthPath: '/health' },
  });
  await changeOperator(server.db, {
    ...{ code: OPERATOR_CODE, kind: 'add', makeSecret: () => randomBytes(32).toString('hex') },
    change: {
      ...{ walletUrl: wallet, walletTimeoutMs: WALLET_TIMEOUT_MS },
      dialect: { name: 'engine', settings, freeRounds: false, completesRounds: true },
    },
  });
  return {
    ...{ ...server, operator, wallet, settings },
    async close() {
      await operator.kill();
      await server.close();
    },
  };
}

const server = useStarted(startBoth);
const players: string[] = [];

afterEach(async () => {
  await server.db.$executeRaw`UPDATE wallet_transactions SET due_at = now() WHERE state = 'pending' AND attempts > 0`;
  await expect.poll(() => server.db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
  await expectPlayersAgree(server.db, { operator: server.operator, playerIDs: players });
  await expectSameTransactions();
});

/**
 * Both sides have the same movements of money, by the same ids, and a balance of the operator is
 * the sum of its movements.
 */
async function expectSameTransactions(): Promise<void> {
  const movements = server.db.$queryRaw`
    SELECT t.transaction_id, t.kind::text, t.amount_micros, w.kind::text AS "ourKind", w.amount_micros AS "ourAmount"
    FROM reference_operator.transactions t
    JOIN reference_operator.engine_rounds r ON r.round_id = t.round_id
    JOIN reference_operator.sessions s ON s.session_sha256 = r.session_sha256
    LEFT JOIN wallet_transactions w ON w.transaction_id = t.transaction_id
    WHERE s.game_id <> 'wallet-check'
      AND ((t.kind::text, t.round_id) IS DISTINCT FROM (w.kind::text, w.round_id::text)
        OR t.amount_micros IS DISTINCT FROM w.amount_micros
        OR coalesce(w.wallet_reference, t.id::text) <> t.id::text)`;
  const missing = server.db.$queryRaw`
    SELECT w.transaction_id
    FROM wallet_transactions w
    LEFT JOIN reference_operator.transactions t ON t.transaction_id = w.transaction_id
    WHERE w.state = 'accepted' AND w.kind <> 'rollback' AND w.amount_micros > 0 AND t.id IS NULL`;
  const imbalances = server.db.$queryRaw`
    SELECT a.id
    FROM reference_operator.accounts a
    JOIN reference_operator.transactions t ON t.player_account_id = a.id
    GROUP BY a.id
    HAVING a.balance_micros <> sum(CASE WHEN t.to_account_id = a.id THEN t.amount_micros ELSE -t.amount_micros END)`;
  expect(await Promise.all([movements, missing, imbalances])).toEqual([[], [], []]);
}

/** The operator launches the first game of its lobby. The game authenticates. */
async function enter(playerID = `player-${players.length}`): Promise<string> {
  if (!players.includes(playerID)) players.push(playerID);
  await api(server.operator, 'POST', '/api/players', { playerID, currency: 'USD' });
  const lobby: any = await (await fetch(`${server.operator.url}/api/lobby`)).json();
  const launch = { playerID, gameID: lobby.games[0].gameID, currency: 'USD' };
  const { url } = await api<{ url: string }>(server.operator, 'POST', '/api/launch', launch);
  const sessionID = sessionOf(url);
  expect((await server.authenticate(sessionID)).status).toBe(200);
  return sessionID;
}

const balanceOf = async (sessionID: string) => (await server.balance(sessionID)).body.balance.amount;
const lose = (sessionID: string) => server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });

/** The wallet's next request to this path gets no response, before or after its work. */
async function loseOne(kind: 'lost_request' | 'lost_response', path: string): Promise<void> {
  const faults = [{ kind, path, next: 1, seconds: 600 }];
  await api(server.operator, 'PUT', '/api/bench/wallet-faults', { faults });
}

it('wallet-check passes each of its rules', async () => {
  const mint = () =>
    api<{ token: string; player: string }>(server.operator, 'POST', '/wallet/v1/dev/session', { currency: 'USD' });
  const { token: old } = await mint();
  const { token, player } = await mint();
  const facts = ['--player', player, '--currency', 'USD', '--token', token, '--expired-token', old];
  const dialect = ['--dialect', 'engine', '--dialect-settings', await secretFile(server.settings)];
  const report = await succeed(['wallet-check', server.wallet, ...dialect, ...facts]);
  expect(report).toContain(`\n${aggregatorOf('engine')?.rules.length} passed, 0 failed, 0 not testable.\n`);
});

it('rounds are lost, won, and resumed by another launch', async () => {
  const sessionID = await enter('ann');
  expect((await lose(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
  await server.playBook(sessionID, BOOK.pays0);
  expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING - 2 * UNIT);
  const { body } = await server.playBook(sessionID, BOOK.pays150);
  const again = await enter('ann');
  expect((await server.authenticate(again)).body.round).toMatchObject({ betID: body.round.betID, active: true });
  expect((await server.endRound(again)).body.balance.amount).toBe(OPENING - 1.5 * UNIT);
  const references = await server.db.walletTransaction.findMany({ where: { roundId: BigInt(body.round.betID) } });
  expect(references.map(({ walletReference }) => walletReference)).toEqual([
    ...[expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)],
  ]);
});

it.each(['lost_request', 'lost_response'] as const)('a debit with a %s is rolled back', async (kind) => {
  const sessionID = await enter();
  await loseOne(kind, '/v1/debit');
  expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
  await expect.poll(() => balanceOf(sessionID)).toBe(OPENING);
  await server.playBook(sessionID, BOOK.pays150);
  expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + 0.5 * UNIT);
});

it('a debit that has closed its round stands, though its response is lost', async () => {
  const sessionID = await enter();
  await loseOne('lost_response', '/v1/debit');
  expectRefusal(await lose(sessionID), 'ERR_GEN');
  await expect.poll(() => balanceOf(sessionID)).toBe(OPENING - UNIT);
});

it('a win that meets a killed wallet is paid once after its restart', async () => {
  const sessionID = await enter();
  await server.playBook(sessionID, BOOK.pays150);
  await loseOne('lost_response', '/v1/credit');
  await server.endRound(sessionID);
  await server.operator.restart();
  await expect.poll(() => balanceOf(sessionID)).toBe(OPENING + 0.5 * UNIT);
});

it('a bet above the balance or the loss limit is refused, and a small one plays', async () => {
  const sessionID = await enter('limited');
  const rules = { currency: 'USD', dailyLossLimit: 2 * UNIT };
  await api(server.operator, 'PUT', '/api/bench/players/limited', rules);
  expectRefusal(await server.playBook(sessionID, BOOK.pays0, { amount: 3 * UNIT, mode: 'AUTO' }), 'ERR_IPB');
  expectRefusal(await server.playBook(sessionID, BOOK.pays0, { amount: 20 * UNIT, mode: 'BONUS' }), 'ERR_IPB');
  expect((await lose(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
});
