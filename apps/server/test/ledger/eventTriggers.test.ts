import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/ledger/database.ts';
import { EVENT_KINDS } from '../../src/ledger/eventKinds.ts';
import { changeOperator, type OperatorChange } from '../../src/ledger/queries/changeOperator.ts';
import { publishGame, withdrawVersion } from '../../src/ledger/queries/games.ts';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../src/ledger/queries/maintenance.ts';
import { rotateSecret, sealSecrets } from '../../src/ledger/queries/operatorSecrets.ts';
import { disableOperator } from '../../src/ledger/queries/operators.ts';
import {
  endSessionsOfPlayer,
  openPlayer,
  setDailyLimits,
  setLoginExpiry,
  updatePlayer,
} from '../../src/ledger/queries/players.ts';
import { voidRound } from '../../src/ledger/queries/rounds.ts';
import { addLaunch, endSessions } from '../../src/ledger/queries/sessions.ts';
import { listEvents } from '../../src/ledger/queries/significantEvents.ts';
import { retryParked, settleParked } from '../../src/ledger/queries/walletTransactions.ts';
import { sha256Of } from '../../src/sessions/sessionToken.ts';
import { SECRET, useBooks } from '../operatorCommands/books.ts';
import { SECRETS_KEY } from '../support/roundhouse.ts';

const books = useBooks();
const NEXT = 'the next secret of more than thirty-two characters';
const walletUrl = 'http://127.0.0.1:9';
const GAME = { gameID: 'a-game', mathSha256: '', title: 'A game', jurisdiction: {}, modeReturns: {} };

let db: ReturnType<typeof openDatabase>;
let outside: Client;
let operatorID: number;
let session: Awaited<ReturnType<typeof books.player>>;

beforeAll(async () => {
  db = openDatabase({ url: books.url, connections: 2, secretsKey: SECRETS_KEY, actor: 'person:ann' });
  outside = await openClient(books.url);
  operatorID = await books.seamlessOperator('acme', walletUrl);
  session = await books.player(operatorID, 'bert');
});
afterAll(async () => {
  await outside.end();
  await db.$disconnect();
});

const change = (code: string, settings: OperatorChange) =>
  changeOperator(db, { code, kind: 'add_or_set', change: settings, makeSecret: () => SECRET });
const sql = (text: string) => outside.query(text);
const bert = { operatorCode: 'acme', externalID: 'bert' };
const tokenSha256 = sha256Of('a token');

type Expected = { kind: string; subject: string; actor?: string; before?: object | null; after?: object | null };

const DEPOSIT =
  "INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros) VALUES ('deposit', 1, 2, 5)";

/** What the work has added to the log. */
async function eventsOf(work: () => Promise<unknown>) {
  const known = (await listEvents(books.db)).length;
  await work();
  const events = (await listEvents(books.db)).slice(known);
  for (const { kind, before, after } of events) {
    expect(Object.keys(EVENT_KINDS)).toContain(kind);
    expect(`${before} ${after}`).not.toMatch(/sealed:|token_sha256|more than thirty-two/);
  }
  const parsed = (value: string | null) => (value === null ? null : JSON.parse(value));
  return events.map(({ kind, actor, subject, before, after }) => ({
    ...{ kind, actor, subject, before: parsed(before), after: parsed(after) },
  }));
}

const CHANGES: [name: string, work: () => Promise<unknown>, expected: Expected[]][] = [
  [
    'an operator is added',
    () => change('new', { name: 'New', walletUrl }),
    [
      {
        kind: 'operator_changed',
        subject: 'operator new',
        before: null,
        after: { code: 'new', name: 'New', secret_count: 1, wallet: 'seamless' },
      },
    ],
  ],
  [
    'an operator is changed',
    () => change('new', { name: 'Newer', languages: ['it'] }),
    [
      {
        kind: 'operator_changed',
        subject: 'operator new',
        before: { name: 'New', languages: [] },
        after: { name: 'Newer', languages: ['it'] },
      },
    ],
  ],
  ['nothing is changed', () => change('new', { name: 'Newer' }), []],
  [
    'a secret is changed',
    () => change('new', { secret: NEXT }),
    [{ kind: 'operator_changed', subject: 'operator new', before: {}, after: { secrets_changed: true } }],
  ],
  [
    'a rotation begins',
    () => rotateSecret(db, 'new', { step: 'begin', secret: SECRET }),
    [
      {
        kind: 'operator_changed',
        subject: 'operator new',
        before: { secret_count: 1 },
        after: { secret_count: 2, secrets_changed: true },
      },
    ],
  ],
  ['the secrets are not encrypted anew', () => sealSecrets(db, { all: false }), []],
  [
    'limits are added',
    () => change('new', { limits: [{ currency: 'USD', maxBetMicros: 5 as never }] }),
    [
      {
        kind: 'operator_limits_changed',
        subject: 'operator new in USD',
        before: null,
        after: { max_bet_micros: 5, daily_loss_limit_micros: null },
      },
    ],
  ],
  [
    'limits are changed',
    () => change('new', { limits: [{ currency: 'USD', maxBetMicros: 6 as never }] }),
    [
      {
        kind: 'operator_limits_changed',
        subject: 'operator new in USD',
        before: { max_bet_micros: 5 },
        after: { max_bet_micros: 6 },
      },
    ],
  ],
  [
    'limits are removed',
    () => change('new', { limits: [{ currency: 'USD', maxBetMicros: null }] }),
    [
      {
        kind: 'operator_limits_changed',
        subject: 'operator new in USD',
        before: { max_bet_micros: 6 },
        after: { max_bet_micros: null },
      },
      { kind: 'operator_limits_changed', subject: 'operator new in USD', after: null },
    ],
  ],
  [
    'an operator is disabled',
    () => disableOperator(db, { code: 'new', disabled: true }),
    [
      { kind: 'operator_changed', subject: 'operator new', before: { disabled: false }, after: { disabled: true } },
      { kind: 'maintenance_changed', subject: 'operator new', before: null, after: { level: 'nothing_at_all' } },
    ],
  ],
  [
    'maintenance is on',
    () => switchMaintenanceOn(db, { scope: 'server', target: '', level: 'no_new_rounds' }),
    [{ kind: 'maintenance_changed', subject: 'server', before: null, after: { level: 'no_new_rounds' } }],
  ],
  [
    'maintenance is off',
    () => switchMaintenanceOff(db, { scope: 'server', target: '' }),
    [{ kind: 'maintenance_changed', subject: 'server', before: { level: 'no_new_rounds' }, after: null }],
  ],
  [
    'maintenance of a mode is on',
    () => switchMaintenanceOn(db, { scope: 'game', target: 'a', version: '1', mode: 'B', level: 'no_new_rounds' }),
    [{ kind: 'maintenance_changed', subject: 'game a 1 mode B', before: null, after: { level: 'no_new_rounds' } }],
  ],
  [
    'a game is published',
    () => publishGame(db, { ...GAME, gameID: 'other', version: '1', currencies: ['USD'] }),
    [
      { kind: 'game_changed', subject: 'game other', before: null, after: { code: 'other' } },
      {
        kind: 'game_version_changed',
        subject: 'game other 1',
        before: null,
        after: { math_sha256: '', title: 'A game' },
      },
    ],
  ],
  [
    'a game is published again',
    () => publishGame(db, { ...GAME, gameID: 'other', version: '1', currencies: ['USD'] }),
    [],
  ],
  [
    'its description changes',
    () => publishGame(db, { ...GAME, gameID: 'other', version: '1', currencies: ['EUR'] }),
    [
      {
        kind: 'game_version_changed',
        subject: 'game other 1',
        before: { currencies: ['USD'] },
        after: { currencies: ['EUR'] },
      },
    ],
  ],
  [
    'a version is withdrawn',
    () => withdrawVersion(db, { gameID: 'other', version: '1' }),
    [
      {
        kind: 'game_version_changed',
        subject: 'game other 1',
        before: { withdrawn_at: null },
        after: { withdrawn_at: expect.stringMatching(/^20/) },
      },
    ],
  ],
  ['a version is withdrawn again', () => withdrawVersion(db, { gameID: 'other', version: '1' }), []],
  [
    'a person sets limits of a player',
    () => setDailyLimits(db, { ...bert, currency: 'USD' }, { wagerMicros: 7 as never }),
    [
      {
        kind: 'player_limits_changed',
        subject: 'account 1 of player bert of operator acme',
        before: { daily_wager_limit_micros: null },
        after: { daily_wager_limit_micros: 7 },
      },
    ],
  ],
  [
    'a login expires',
    () => setLoginExpiry(db, bert, new Date('2035-01-01')),
    [
      {
        kind: 'player_login_changed',
        subject: 'player bert of operator acme',
        before: { login_expires_at: null },
        after: { login_expires_at: expect.stringMatching(/^2035-01-01/) },
      },
    ],
  ],
  [
    'a person ends sessions',
    () => endSessionsOfPlayer(db, bert),
    [{ kind: 'session_revoked', subject: 'session 1', before: { state: 'issued' }, after: { state: 'revoked' } }],
  ],
  ['sessions are ended again', () => endSessionsOfPlayer(db, bert), []],
  [
    'an operator ends a launch',
    async () => {
      const unset = { externalID: undefined, country: undefined, jurisdiction: {}, sealedToken: new Uint8Array(1) };
      const launch = {
        operatorID,
        gameID: 'a-game',
        gameVersion: '1.0.0',
        currency: 'USD' as const,
        expiresAt: new Date(Date.now() + 60_000),
        ...unset,
      };
      await addLaunch(db, { ...launch, tokenSha256 });
      await endSessions(db, { operatorID, operatorCode: 'acme', tokenSha256 });
    },
    [
      {
        kind: 'session_revoked',
        actor: 'operator:acme',
        subject: expect.stringMatching(/^launch [0-9a-f]{16}$/) as never,
        before: { revoked: false },
        after: { revoked: true },
      },
    ],
  ],
  [
    'a person changes an operator in SQL',
    () => sql("UPDATE operators SET name = 'Acme' WHERE code = 'acme'"),
    [
      {
        kind: 'operator_changed',
        actor: 'database:',
        subject: 'operator acme',
        before: { name: 'acme' },
        after: { name: 'Acme' },
      },
    ],
  ],
  [
    'a person changes a limit in SQL',
    () => sql('UPDATE accounts SET daily_loss_limit_micros = 3'),
    [
      {
        kind: 'data_changed',
        actor: 'database:',
        subject: 'account 1 of player bert of operator acme',
        before: { daily_loss_limit_micros: null },
        after: { daily_loss_limit_micros: 3 },
      },
    ],
  ],
  [
    'a person revokes a session in SQL',
    () => sql("UPDATE sessions SET state = 'revoked', country = 'FI'"),
    [
      {
        kind: 'data_changed',
        actor: 'database:',
        subject: 'session 1',
        before: { country: null },
        after: { country: 'FI' },
      },
    ],
  ],
  [
    'a person changes a balance in SQL',
    () => sql('UPDATE accounts SET balance_micros = 5'),
    [
      {
        kind: 'data_changed',
        actor: 'database:',
        subject: 'account 1 of player bert of operator acme',
        before: { balance_micros: null },
        after: { balance_micros: 5 },
      },
    ],
  ],
  [
    'a person removes a transfer in SQL',
    () => sql(`${DEPOSIT}; DELETE FROM transfers`),
    [
      {
        kind: 'data_changed',
        actor: 'database:',
        subject: 'transfer 1',
        before: { amount_micros: 5, kind: 'deposit' },
        after: null,
      },
    ],
  ],
  [
    'a person empties a table in SQL',
    () => sql('TRUNCATE round_events'),
    [{ kind: 'table_truncated', actor: 'database:', subject: 'table round_events', before: null, after: null }],
  ],
];

it.each(CHANGES)('%s: the log says who changed what', async (_name, work, expected) => {
  const [user] = (await outside.query<{ name: string }>('SELECT session_user AS name')).rows;
  const actorOf = (actor = 'person:ann') => (actor === 'database:' ? `database:${user?.name}` : actor);
  const events = await eventsOf(work);
  expect(events).toMatchObject(expected.map((each) => ({ ...each, actor: actorOf(each.actor) })));
  // Of a change only the members that changed.
  for (const [index, { before, after }] of events.entries()) {
    if (before !== null && after !== null) expect(after).toEqual(expected[index]?.after);
  }
});

/** A round of a new player, whose credit is parked. */
async function owed(player: string) {
  const transactions = [{ kind: 'debit' }, { kind: 'credit', state: 'parked' }] as const;
  const { round, ids } = await books.round(await books.player(operatorID, player), transactions);
  return { round, creditID: ids[1] ?? '' };
}

it('a person settles and retries wallet transactions', async () => {
  const [settled, retried] = [(await owed('dora')).creditID, (await owed('emil')).creditID];
  const expected = { kind: 'wallet_transaction_changed', actor: 'person:ann', before: { state: 'parked' } };
  expect(await eventsOf(() => settleParked(db, { transactionID: settled, note: 'seen by Ann' }))).toMatchObject([
    { ...expected, subject: `wallet transaction ${settled}`, after: { settlement_note: 'seen by Ann' } },
  ]);
  expect(await eventsOf(() => retryParked(db, { transactionID: retried }))).toMatchObject([
    { ...expected, subject: `wallet transaction ${retried}`, after: { state: 'pending' } },
  ]);
});

it('an operator voids a round once', async () => {
  const { round } = await owed('finn');
  await books.db.walletTransaction.deleteMany({ where: { roundId: round.id, kind: 'credit' } });
  await books.db.round.update({ where: { id: round.id }, data: { walletState: 'debited' } });
  const wanted = { operatorID, roundID: round.id, reason: 'a dispute' };
  const voided = { kind: 'round_voided', actor: 'operator:acme', subject: `round ${round.id}` };
  expect(await eventsOf(() => voidRound(db, wanted))).toEqual([
    { ...voided, before: { state: 'debited' }, after: { state: 'void', reason: 'a dispute' } },
  ]);
  expect(await eventsOf(() => voidRound(db, wanted))).toEqual([]);
});

it('a node stores the limits that an operator gives, and that is no event', async () => {
  const node = openDatabase({ url: books.url, connections: 1, actor: 'node:host#1' });
  const player = { playerID: session.playerId, currency: 'USD' as const };
  const limits = { dailyWager: 9_000_000 as never };
  expect(await eventsOf(() => updatePlayer(node, player, { country: 'FI', limits }))).toEqual([]);
  expect(await eventsOf(() => openPlayer(node, operatorID, 'carl'))).toEqual([]);
  await node.$disconnect();
});
