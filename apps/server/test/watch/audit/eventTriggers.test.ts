import { openClient } from '@roundhouse/service';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { retryParked, settleParked } from '../../../src/ledger/parked.ts';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { changeOperator, type OperatorChange } from '../../../src/operators/settings/changeOperator.ts';
import { openPlayer } from '../../../src/rounds/sessions/admission.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { rotateSecret, sealSecrets } from '../../../src/store/operators/operatorSecrets.ts';
import { disableOperator } from '../../../src/store/operators/operators.ts';
import { publishGame, withdrawVersion } from '../../../src/store/rounds/games.ts';
import { switchMaintenanceOff, switchMaintenanceOn } from '../../../src/store/rounds/maintenance.ts';
import {
  endSessionsOfPlayer,
  setDailyLimits,
  setLoginExpiry,
  updatePlayer,
} from '../../../src/store/rounds/players.ts';
import { addLaunch, endSessions } from '../../../src/store/rounds/sessions.ts';
import { EVENT_KINDS } from '../../../src/store/watch/eventKinds.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { SECRET, useBooks } from '../../cli/commands/books.ts';
import { giveGrant } from '../../support/grants.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';

const books = useBooks();
const NEXT = 'the next secret of more than thirty-two characters';
const walletUrl = 'http://127.0.0.1:9';
const GAME = { gameID: 'a-game', mathSha256: '', title: 'A game', jurisdiction: {}, betLimits: {}, modeReturns: {} };

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

/** `before` and `after` list members that must be there. */
type Expected = { kind: string; subject: unknown; before?: object | null; after?: object | null; actor: string };

const event = (kind: string, subject: unknown, before: object | null, after: object | null): Expected => {
  return { kind, subject, before, after, actor: 'person:ann' };
};
/** Describes a change that a person made in SQL. */
const inSQL = (kind: string, subject: string, before: object | null, after: object | null): Expected => {
  return { ...event(kind, subject, before, after), actor: 'database:' };
};
const operator = (before: object | null, after: object, code = 'new') =>
  event('operator_changed', `operator ${code}`, before, after);
const limits = (before: object | null, after: object | null) =>
  event('operator_limits_changed', 'operator new in USD', before, after);
const atLevel = (level: string | null) => (level === null ? null : { level });
const maintenance = (subject: string, before: string | null, after: string | null) => {
  const kind = before === null ? 'maintenance_started' : after === null ? 'maintenance_ended' : 'maintenance_changed';
  return event(kind, subject, atLevel(before), atLevel(after));
};
const version = (before: object | null, after: object) => event('game_version_changed', 'game other 1', before, after);

const setLimit = (maxBetMicros: number | null) =>
  change('new', { limits: [{ currency: 'USD', maxBetMicros: maxBetMicros as never }] });
const publish = (currency: 'USD' | 'EUR') =>
  publishGame(db, { ...GAME, gameID: 'other', version: '1', currencies: [currency] });
const withdraw = () => withdrawVersion(db, { gameID: 'other', version: '1' });
const SERVER = { scope: 'server', target: '' } as const;
const MODE = { scope: 'game', target: 'a', version: '1', mode: 'B' } as const;
const ACCOUNT = 'account 1 of player bert of operator acme';
const BERT = 'player bert of operator acme';
const DATE = expect.stringMatching(/^20/);

const DEPOSIT =
  "INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros) VALUES ('deposit', 1, 2, 5)";

/** Returns what the work has added to the log. */
async function eventsOf(work: () => Promise<unknown>) {
  const known = (await listEvents(books.db)).length;
  await work();
  const events = (await listEvents(books.db)).slice(known);
  for (const { kind, before, after } of events) {
    expect(Object.keys(EVENT_KINDS)).toContain(kind);
    expect(`${before} ${after}`).not.toMatch(/sealed:|token_sha256|more than thirty-two/);
  }
  const parsed = (value: string | null) => (value === null ? null : JSON.parse(value));
  return events.map(({ kind, actor, subject, before, after }) => {
    return { kind, actor, subject, before: parsed(before), after: parsed(after) };
  });
}

const CHANGES: [name: string, work: () => Promise<unknown>, ...expected: Expected[]][] = [
  [
    'an operator is added',
    () => change('new', { name: 'New', walletUrl }),
    operator(null, { code: 'new', name: 'New', secret_count: 1, wallet: 'seamless' }),
  ],
  [
    'an operator is changed',
    () => change('new', { name: 'Newer', languages: ['it'] }),
    operator({ name: 'New', languages: [] }, { name: 'Newer', languages: ['it'] }),
  ],
  ['nothing is changed', () => change('new', { name: 'Newer' })],
  ['a secret is changed', () => change('new', { secret: NEXT }), operator({}, { secrets_changed: true })],
  [
    'a rotation begins',
    () => rotateSecret(db, 'new', { step: 'begin', secret: SECRET }),
    operator({ secret_count: 1 }, { secret_count: 2, secrets_changed: true }),
  ],
  ['the secrets are not encrypted anew', () => sealSecrets(db, { all: false })],
  ['limits are added', () => setLimit(5), limits(null, { max_bet_micros: 5, daily_loss_limit_micros: null })],
  ['limits are changed', () => setLimit(6), limits({ max_bet_micros: 5 }, { max_bet_micros: 6 })],
  [
    'limits are removed',
    () => setLimit(null),
    limits({ max_bet_micros: 6 }, { max_bet_micros: null }),
    limits({ max_bet_micros: null }, null),
  ],
  [
    'an operator is disabled',
    () => disableOperator(db, { code: 'new', disabled: true }),
    operator({ disabled: false }, { disabled: true }),
    maintenance('operator new', null, 'nothing_at_all'),
  ],
  [
    'maintenance is on',
    () => switchMaintenanceOn(db, { ...SERVER, level: 'no_new_rounds' }),
    maintenance('server', null, 'no_new_rounds'),
  ],
  ['maintenance is off', () => switchMaintenanceOff(db, SERVER), maintenance('server', 'no_new_rounds', null)],
  [
    'maintenance of a mode is on',
    () => switchMaintenanceOn(db, { ...MODE, level: 'no_new_rounds' }),
    maintenance('game a 1 mode B', null, 'no_new_rounds'),
  ],
  [
    'a game is published',
    () => publish('USD'),
    event('game_changed', 'game other', null, { code: 'other' }),
    version(null, { math_sha256: '', title: 'A game' }),
  ],
  ['a game is published again', () => publish('USD')],
  ['its description changes', () => publish('EUR'), version({ currencies: ['USD'] }, { currencies: ['EUR'] })],
  ['a version is withdrawn', withdraw, version({ withdrawn_at: null }, { withdrawn_at: DATE })],
  ['a version is withdrawn again', withdraw],
  [
    'a person sets limits of a player',
    () => setDailyLimits(db, { ...bert, currency: 'USD' }, { wagerMicros: 7 as never }),
    event('player_limits_changed', ACCOUNT, { daily_wager_limit_micros: null }, { daily_wager_limit_micros: 7 }),
  ],
  [
    'a login expires',
    () => setLoginExpiry(db, bert, new Date('2035-01-01')),
    event('player_login_changed', BERT, { login_expires_at: null }, { login_expires_at: DATE }),
  ],
  [
    'a person ends sessions',
    () => endSessionsOfPlayer(db, bert),
    event('session_revoked', 'session 1', { state: 'issued' }, { state: 'revoked' }),
  ],
  ['sessions are ended again', () => endSessionsOfPlayer(db, bert)],
  [
    'an operator ends a launch',
    async () => {
      const expiresAt = new Date(Date.now() + 3_600_000);
      const game = { gameID: 'a-game', gameVersion: '1.0.0', currency: 'USD', jurisdiction: {} } as const;
      const unset = { externalID: undefined, country: undefined, sealedToken: new Uint8Array(1) };
      await addLaunch(db, { operatorID, ...game, ...unset, expiresAt, tokenSha256 });
      await endSessions(db, { operatorID, operatorCode: 'acme', tokenSha256 });
    },
    {
      ...event(
        'session_revoked',
        expect.stringMatching(/^launch [0-9a-f]{16}$/),
        { revoked: false },
        { revoked: true },
      ),
      actor: 'operator:acme',
    },
  ],
  [
    'a person changes an operator in SQL',
    () => sql("UPDATE operators SET name = 'Acme' WHERE code = 'acme'"),
    inSQL('operator_changed', 'operator acme', { name: 'acme' }, { name: 'Acme' }),
  ],
  [
    'a person changes a limit in SQL',
    () => sql('UPDATE accounts SET daily_loss_limit_micros = 3'),
    inSQL('data_changed', ACCOUNT, { daily_loss_limit_micros: null }, { daily_loss_limit_micros: 3 }),
  ],
  [
    'a person revokes a session in SQL',
    () => sql("UPDATE sessions SET state = 'revoked', country = 'FI'"),
    inSQL('data_changed', 'session 1', { country: null }, { country: 'FI' }),
  ],
  [
    'a person changes a balance in SQL',
    () => sql('UPDATE accounts SET balance_micros = 5'),
    inSQL('data_changed', ACCOUNT, { balance_micros: null }, { balance_micros: 5 }),
  ],
  [
    'a person removes a transfer in SQL',
    () => sql(`${DEPOSIT}; DELETE FROM transfers`),
    inSQL('data_changed', 'transfer 1', { amount_micros: 5, kind: 'deposit' }, null),
  ],
  [
    'a person adds free rounds to a grant in SQL',
    async () => {
      const [{ id: accountID = 0n } = {}] = await db.account.findMany();
      await giveGrant(db, { accountID, gameID: 1 });
      await sql('UPDATE grants SET given = given + 1, "left" = "left" + 1');
    },
    inSQL('data_changed', 'grant 1', { given: 3, left: 3 }, { given: 4, left: 4 }),
  ],
  [
    'a person empties a table in SQL',
    () => sql('TRUNCATE round_events'),
    inSQL('table_truncated', 'table round_events', null, null),
  ],
];

it.each(CHANGES)('%s: the log says who changed what', async (_name, work, ...expected) => {
  const [user] = (await outside.query<{ name: string }>('SELECT session_user AS name')).rows;
  const events = await eventsOf(work);
  const actorOf = (actor: string) => (actor === 'database:' ? `database:${user?.name}` : actor);
  expect(events).toMatchObject(expected.map((each) => ({ ...each, actor: actorOf(each.actor) })));
  // An event of a change has only the members that changed.
  for (const [index, { before, after }] of events.entries()) {
    if (before !== null && after !== null) expect(after).toEqual(expected[index]?.after);
  }
});

/** Makes a round of a new player, whose credit is parked. */
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
  expect(await eventsOf(() => retryParked(db, { transactionIDs: [retried] }))).toMatchObject([
    { ...expected, subject: `wallet transaction ${retried}`, after: { state: 'pending' } },
  ]);
});

it('an operator voids a round once', async () => {
  const { round } = await owed('finn');
  await books.db.walletTransaction.deleteMany({ where: { roundId: round.id, kind: 'credit' } });
  await books.db.round.update({ where: { id: round.id }, data: { walletState: 'debited' } });
  const wanted = { operatorID, roundID: round.id, reason: 'a dispute' };
  const voided = { kind: 'round_voided', actor: 'operator:acme', subject: `round ${round.id}` };
  // The operator API runs in a node.
  const node = openDatabase({ url: books.url, connections: 1, actor: 'node:host#1' });
  expect(await eventsOf(() => voidRound(node, wanted))).toEqual([
    { ...voided, before: { state: 'debited' }, after: { state: 'void', reason: 'a dispute' } },
  ]);
  expect(await eventsOf(() => voidRound(node, wanted))).toEqual([]);
  await node.$disconnect();
});

it('a node stores the limits that an operator gives, and that is not an event', async () => {
  const node = openDatabase({ url: books.url, connections: 1, actor: 'node:host#1' });
  const player = { playerID: session.playerId, currency: 'USD' as const };
  const limits = { dailyWager: 9_000_000 as never };
  expect(await eventsOf(() => updatePlayer(node, player, { country: 'FI', limits }))).toEqual([]);
  expect(await eventsOf(() => openPlayer(node, { operatorID, operatorCode: 'acme', externalID: 'carl' }))).toEqual([]);
  await node.$disconnect();
});
