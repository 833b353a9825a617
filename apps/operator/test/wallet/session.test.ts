import { expect, it } from 'vitest';
import { OPENING_MICROS, type TestPlayer, useOperator, usePlayer } from '../support/testOperator.ts';
import { expectResult } from '../support/walletClient.ts';

const operator = useOperator();
const player = usePlayer(operator);

function authenticate(changes: object = {}, { sessionID, gameID }: TestPlayer = player) {
  return operator.wallet.post('/authenticate', { sessionID, gameID, ...changes });
}

function readBalance(changes: object = {}) {
  const { sessionID, playerID, gameID, currency } = player;
  return operator.wallet.post('/balance', { sessionID, playerID, gameID, currency, ...changes });
}

const debit = (changes: object = {}) => player.debit(player.newBet(), 1, changes);

/** Lets the sessions of all players end in this many seconds. */
async function endSessionsIn(seconds: number): Promise<void> {
  await operator.database.query("UPDATE sessions SET expires_at = now() + $1 * interval '1 second'", [seconds]);
}

async function secondsLeft(): Promise<number | undefined> {
  const [row] = await operator.database.query<{ seconds: number }>(
    'SELECT extract(epoch FROM max(expires_at) - now())::int AS seconds FROM sessions',
  );
  return row?.seconds;
}

it('authenticate returns the player, the balance and the rules', async () => {
  await player.setRules({ dailyLossLimit: 5_000_000, country: 'fi' });
  const { token } = operator.rgs.requests.at(-1)?.body ?? {};
  for (const changes of [{ token }, {}]) {
    expect(await authenticate(changes)).toEqual({
      status: 200,
      body: {
        playerID: player.playerID,
        currency: 'USD',
        balance: OPENING_MICROS,
        country: 'FI',
        jurisdiction: {},
        limits: { dailyLoss: 5_000_000 },
      },
    });
  }
});

it('the country of the launch comes before that of the player', async () => {
  const traveller = await operator.newPlayer({ country: 'SE' });
  await traveller.setRules({ country: 'FI' });
  expect((await authenticate({}, traveller)).body.country).toBe('SE');
});

it('an unknown session is ERR_IS', async () => {
  const sessionID = 'lobby:never-issued';
  for (const send of [authenticate, debit, readBalance]) expectResult(await send({ sessionID }), 'ERR_IS');
});

it('a session that has timed out is ERR_IS', async () => {
  await endSessionsIn(-1);
  for (const send of [authenticate, debit, readBalance]) expectResult(await send(), 'ERR_IS');
});

it('a wrong token is ERR_ATE', async () => {
  expectResult(await authenticate({ token: 'somebody-elses' }), 'ERR_ATE');
});

it('an expired login is ERR_ATE, until the player logs in again', async () => {
  await player.setRules({ loginExpiresAt: new Date(Date.now() - 1000).toISOString() });
  for (const send of [authenticate, debit]) expectResult(await send(), 'ERR_ATE');
  await player.setRules({ loginExpiresAt: null });
  expect((await debit()).status).toBe(200);
});

it('a blocked country is ERR_LOC, for where the player is and for where they live', async () => {
  const abroad = await operator.newPlayer({ country: 'kp' });
  expectResult(await abroad.debit(abroad.newBet()), 'ERR_LOC');
  await player.setRules({ country: 'KP' });
  for (const send of [authenticate, debit]) expectResult(await send(), 'ERR_LOC');
  await player.setRules({ country: null });
  expect((await authenticate()).status).toBe(200);
});

it('a session is for one player, one game and one currency', async () => {
  const other = await operator.newPlayer();
  const euros = await operator.newPlayer({ playerID: player.playerID, currency: 'EUR' });
  for (const changes of [{ playerID: other.playerID }, { gameID: 'another' }, { currency: euros.currency }]) {
    expectResult(await debit(changes), 'ERR_VAL');
  }
  expectResult(await authenticate({ gameID: 'another' }), 'ERR_VAL');
  expectResult(await readBalance({ gameID: 'another' }), 'ERR_VAL');
  for (const each of [player, other, euros]) expect(await each.balance()).toBe(OPENING_MICROS);
});

it('authenticate and debit keep a session alive, balance does not', async () => {
  await endSessionsIn(60);
  await player.balance();
  expect(await secondsLeft()).toBeLessThan(65);
  for (const request of [authenticate, debit]) {
    await endSessionsIn(60);
    await request();
    expect(await secondsLeft()).toBeGreaterThan(3000);
  }
});
