import { beforeEach, expect, test } from 'vitest';
import { expectRefused, OPENING_MICROS, useOperator } from '../support/testOperator.ts';
import type { PlayerCalls } from '../support/walletClient.ts';

const operator = useOperator();
let player: PlayerCalls;
beforeEach(async () => {
  player = await operator.newPlayer();
});

function authenticate(changes: object = {}) {
  const { sessionID, gameID } = player;
  return operator.wallet.post('/authenticate', { sessionID, gameID, ...changes });
}

async function setRules(rules: object): Promise<void> {
  const { playerID, currency } = player;
  expect(await operator.api('PUT', `/bench/players/${playerID}`, { currency, ...rules })).toMatchObject({
    status: 200,
  });
}

/** Lets the sessions of all players be over. */
async function letTimeOut(): Promise<void> {
  await operator.database.query("UPDATE sessions SET expires_at = now() - interval '1 second'");
}

async function secondsLeft(): Promise<number> {
  const [row] = await operator.database.query<{ seconds: number }>(
    'SELECT extract(epoch FROM max(s.expires_at) - now())::int AS seconds FROM sessions s JOIN accounts a ON a.id = s.account_id JOIN players p ON p.id = a.player_id WHERE p.external_id = $1',
    [player.playerID],
  );
  return row?.seconds ?? 0;
}

test('authenticate says who plays, what they have and what applies', async () => {
  await setRules({ dailyLossLimit: 5_000_000, country: 'fi' });
  const launched = operator.rgs.calls.at(-1)?.body;
  for (const shown of [{ token: launched.token }, {}]) {
    const { status, body } = await authenticate(shown);
    expect(status).toBe(200);
    expect(body).toEqual({
      playerID: player.playerID,
      currency: 'USD',
      balance: OPENING_MICROS,
      country: 'FI',
      jurisdiction: {},
      limits: { dailyLoss: 5_000_000 },
    });
  }
});

test('where the player is now comes before where they live', async () => {
  const traveller = await operator.newPlayer({ country: 'SE' });
  const { playerID, currency, sessionID, gameID } = traveller;
  await operator.api('PUT', `/bench/players/${playerID}`, { currency, country: 'FI' });
  const { body } = await operator.wallet.post('/authenticate', { sessionID, gameID });
  expect(body.country).toBe('SE');
});

test('an unknown session is ERR_IS', async () => {
  expectRefused(await authenticate({ sessionID: 'lobby:never-issued' }), 'ERR_IS');
  expectRefused(await player.debit(player.newBet(), 1, { sessionID: 'lobby:never-issued' }), 'ERR_IS');
});

test('a timed out session is ERR_IS', async () => {
  await letTimeOut();
  expectRefused(await authenticate(), 'ERR_IS');
  expectRefused(await player.debit(player.newBet()), 'ERR_IS');
  const { sessionID, playerID, gameID, currency } = player;
  expectRefused(await operator.wallet.post('/balance', { sessionID, playerID, gameID, currency }), 'ERR_IS');
});

test('a wrong token is a failed login', async () => {
  expectRefused(await authenticate({ token: 'somebody-elses' }), 'ERR_ATE');
});

test('an expired login is ERR_ATE, until the player logs in again', async () => {
  await setRules({ loginExpiresAt: new Date(Date.now() - 1000).toISOString() });
  expectRefused(await authenticate(), 'ERR_ATE');
  expectRefused(await player.debit(player.newBet()), 'ERR_ATE');
  await setRules({ loginExpiresAt: null });
  expect((await player.debit(player.newBet())).status).toBe(200);
});

test('a blocked country is ERR_LOC, for where the player is and for where they live', async () => {
  const abroad = await operator.newPlayer({ country: 'kp' });
  expectRefused(await abroad.debit(abroad.newBet()), 'ERR_LOC');
  await setRules({ country: 'KP' });
  expectRefused(await authenticate(), 'ERR_LOC');
  expectRefused(await player.debit(player.newBet()), 'ERR_LOC');
  await setRules({ country: null });
  expect((await authenticate()).status).toBe(200);
});

test('a session is for one player, one game and one currency', async () => {
  const other = await operator.newPlayer();
  const euros = await operator.newPlayer({ playerID: player.playerID, currency: 'EUR' });
  for (const changes of [{ playerID: other.playerID }, { gameID: 'another' }, { currency: euros.currency }]) {
    expectRefused(await player.debit(player.newBet(), 1, changes), 'ERR_VAL');
  }
  expectRefused(await authenticate({ gameID: 'another' }), 'ERR_VAL');
  expectRefused(
    await operator.wallet.post('/balance', {
      ...player.newBet().facts,
      gameID: 'another',
      sessionID: player.sessionID,
    }),
    'ERR_VAL',
  );
  expect(await player.balance()).toBe(OPENING_MICROS);
  expect(await other.balance()).toBe(OPENING_MICROS);
  expect(await euros.balance()).toBe(OPENING_MICROS);
});

test('authenticate and debit keep a session alive, balance does not', async () => {
  const nearItsEnd = () => operator.database.query("UPDATE sessions SET expires_at = now() + interval '10 seconds'");
  await nearItsEnd();
  await player.balance();
  expect(await secondsLeft()).toBeLessThan(15);
  await authenticate();
  expect(await secondsLeft()).toBeGreaterThan(3000);
  await nearItsEnd();
  await player.debit(player.newBet());
  expect(await secondsLeft()).toBeGreaterThan(3000);
});
