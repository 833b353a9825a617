import { type ErrorCode, REFUSAL_ORDER, type RefusalStage, toMicros } from '@roundhouse/contract';
import { describe, expect, test } from 'vitest';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../src/ledger/queries/maintenance.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import { setBalance, setDailyLimits, setLoginExpiry } from '../../src/ledger/queries/players.ts';
import { UNIT, useCheckedServer } from '../support/checkedServer.ts';
import { HOUR_MS, idleFor } from '../support/moveTime.ts';
import { expectRefused, snapshot } from '../support/snapshot.ts';
import { OPERATOR } from '../support/testServer.ts';

const server = useCheckedServer();

/** A play that would be good, of a player of whom nothing is wrong yet. */
type Attempt = {
  externalID: string;
  sessionID: string;
  body: Record<string, unknown>;
  undo: (() => Promise<unknown>)[];
};

/** No other currency of this file is touched, so that its house account can be away for a while. */
const CURRENCY = 'DKK';
let attempts = 0;

async function goodAttempt(): Promise<Attempt> {
  attempts += 1;
  const externalID = `attempt-${attempts}`;
  const sessionID = await server.liveSession({ token: externalID, currency: CURRENCY, country: 'SE' });
  return { externalID, sessionID, body: { sessionID, amount: UNIT, mode: 'BASE' }, undo: [] };
}

/** How to make the attempt wrong in each way that the list names. */
const SPOIL: Readonly<Record<RefusalStage, (attempt: Attempt) => unknown>> = {
  maintenance: ({ undo }) => {
    undo.push(() => switchMaintenanceOff(server.db, { scope: 'server', target: '' }));
    return switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'nothing_at_all' });
  },
  shape: ({ body }) => Object.assign(body, { amount: 1.5 }),
  session: ({ sessionID }) => idleFor(server, sessionID, HOUR_MS),
  login: ({ externalID }) => setLoginExpiry(server.db, { operatorCode: OPERATOR, externalID }, new Date(0)),
  location: ({ undo }) => {
    undo.push(() => setOperator(server.db, OPERATOR, { blockedCountries: [] }));
    return setOperator(server.db, OPERATOR, { blockedCountries: ['SE'] });
  },
  rules: ({ body }) => Object.assign(body, { mode: 'NO-SUCH-MODE' }),
  limits: ({ externalID }) =>
    setDailyLimits(
      server.db,
      { operatorCode: OPERATOR, externalID, currency: CURRENCY },
      { wagerMicros: toMicros(UNIT - 1) },
    ),
  balance: async ({ sessionID }) => {
    const { accounts } = await snapshot(server, sessionID);
    await setBalance(server.db, BigInt(accounts[0]?.id ?? 0), toMicros(UNIT - 1));
  },
  general: async ({ undo }) => {
    // Nowhere for the bet to go.
    undo.push(
      () => server.db.$executeRaw`UPDATE accounts SET kind = 'house' WHERE kind = 'cashier' AND currency = 'away'`,
      () => server.db.$executeRaw`UPDATE accounts SET currency = ${CURRENCY} WHERE currency = 'away'`,
    );
    await server.db
      .$executeRaw`UPDATE accounts SET kind = 'cashier', currency = 'away' WHERE kind = 'house' AND currency = ${CURRENCY}`;
  },
};

async function expectAnswer(stages: readonly RefusalStage[], code: ErrorCode): Promise<void> {
  const attempt = await goodAttempt();
  try {
    for (const stage of stages) await SPOIL[stage](attempt);
    await expectRefused(server, { path: '/wallet/play', body: attempt.body }, code);
  } finally {
    for (const step of attempt.undo) await step();
  }
}

const pairs = REFUSAL_ORDER.flatMap((earlier, index) =>
  REFUSAL_ORDER.slice(index + 1).map((later) => ({ earlier: earlier.stage, later: later.stage, code: earlier.code })),
);

describe('Everywhere: when several things are wrong the first of the list is answered', () => {
  test('the list is that of the wire', () => {
    expect(REFUSAL_ORDER.map(({ code, stage }) => `${code} (${stage})`)).toEqual([
      'ERR_MAINTENANCE (maintenance)',
      'ERR_VAL (shape)',
      'ERR_IS (session)',
      'ERR_ATE (login)',
      'ERR_LOC (location)',
      'ERR_VAL (rules)',
      'ERR_GLE (limits)',
      'ERR_IPB (balance)',
      'ERR_GEN (general)',
    ]);
  });

  test.each(REFUSAL_ORDER)('$stage alone is $code', ({ stage, code }) => expectAnswer([stage], code));

  test.each(pairs)('$earlier before $later: $code', ({ earlier, later, code }) => expectAnswer([earlier, later], code));

  test('all nine at once: ERR_MAINTENANCE', () =>
    expectAnswer(
      REFUSAL_ORDER.map(({ stage }) => stage),
      'ERR_MAINTENANCE',
    ));

  test('a session that nobody knows comes after the shape and after maintenance', async () => {
    const unknown = { sessionID: 'never-issued', amount: UNIT, mode: 'BASE' };
    await expectRefused(server, { path: '/wallet/play', body: { ...unknown, amount: 1.5 } }, 'ERR_VAL');
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'nothing_at_all' });
    await expectRefused(server, { path: '/wallet/play', body: unknown }, 'ERR_MAINTENANCE');
    await expectRefused(server, { path: '/wallet/play', body: 'not JSON' }, 'ERR_MAINTENANCE');
    await switchMaintenanceOff(server.db, { scope: 'server', target: '' });
    await expectRefused(server, { path: '/wallet/play', body: unknown }, 'ERR_IS');
  });

  test('no new rounds is maintenance for a play, and only for a play', async () => {
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'no_new_rounds' });
    for (const body of ['not JSON', { sessionID: 'never-issued', amount: UNIT, mode: 'BASE' }]) {
      await expectRefused(server, { path: '/wallet/play', body }, 'ERR_MAINTENANCE');
    }
    await expectRefused(server, { path: '/wallet/balance', body: 'not JSON' }, 'ERR_VAL');
    await expectRefused(server, { path: '/wallet/balance', body: { sessionID: 'never-issued' } }, 'ERR_IS');
    await switchMaintenanceOff(server.db, { scope: 'server', target: '' });
  });

  test('of the rules, round state is one: an active round comes before limits and balance', async () => {
    const attempt = await goodAttempt();
    await server.post('/wallet/play', attempt.body);
    await SPOIL.limits(attempt);
    await SPOIL.balance(attempt);
    await expectRefused(server, { path: '/wallet/play', body: attempt.body }, 'ERR_VAL');
  });
});
