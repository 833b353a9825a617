import { readFile } from 'node:fs/promises';
import type { Approval } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRoute, type AdminRouteName } from '@roundhouse/contract/admin-routes';
import { openClient } from '@roundhouse/service';
import { beforeAll, describe, expect, it } from 'vitest';
import { addUser } from '../../../src/staff/access/users.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { openApprovalSecret, sealApprovals } from '../../../src/store/staff/approvals.ts';
import { insertConsoleUser } from '../../../src/store/staff/consoleUsers.ts';
import { listUserTies } from '../../../src/store/staff/userTies.ts';
import { listEvents } from '../../../src/store/watch/significantEvents.ts';
import { type TestUser, useTestAdmin } from '../../support/adminServer.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { OPERATOR, sessionInRound, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });
const admin = useTestAdmin(server, { twoPerson: true, secretsKey: SECRETS_KEY });

const ANN: TestUser = { role: 'support', email: 'ann@staff.example' };
const BEN: TestUser = { role: 'support', email: 'ben@staff.example' };
const EVE: TestUser = { role: 'administrator', email: 'eve@staff.example' };
const FAY: TestUser = { role: 'administrator', email: 'fay@staff.example' };
const VIEWER: TestUser = { role: 'viewer', email: 'vic@staff.example' };
const STRANGER: TestUser = { role: 'administrator', operator: 'other', email: 'stranger@other.example' };
const WALLET = 'https://wallet.example/api';
const PRAGMATIC = { secret: 'k'.repeat(40), secureLogin: 'roundhouse', providerId: 'roundhouse' };
const BY_COMMAND = { by: { userID: undefined, operatorID: undefined }, consoleUrl: 'https://console.example' };

beforeAll(() => setOperator(server.db, 'other', {}));

async function openRound(): Promise<{ sessionID: string; betID: number }> {
  const sessionID = await sessionInRound(server);
  const { betID } = await server.roundOf(sessionID);
  return { sessionID, betID };
}

async function wantVoid(user = ANN) {
  const round = await openRound();
  const { status, body } = await admin
    .as(user)
    .call('voidRound', { params: { betID: round.betID }, body: { reason: 'complaint 7' } });
  expect(status).toBe(202);
  return { ...round, approvalID: body.approvalID as string };
}

const decide = (user: TestUser, approvalID: string, decision = 'approve') =>
  admin.as(user).call('decideApproval', { params: { approvalID }, body: { decision } });
const receive = (user: TestUser, approvalID: string) =>
  admin.as(user).call('showApprovalSecret', { params: { approvalID } });

const isOpen = async (sessionID: string) => (await server.roundOf(sessionID)).active === true;
const countApprovals = () => server.db.consoleApproval.count();

/** Everything that approvals and events keep, as it is in the database. */
async function stored(): Promise<string> {
  const approvals = await server.db.$queryRaw<{ row: string }[]>`SELECT a::text AS row FROM console_approvals a`;
  const events = (await listEvents(server.db)).map(({ before, after }) => [before, after]);
  return JSON.stringify([approvals, events, server.logLines]);
}

describe('an action that needs two users', () => {
  it('is one of these, and docs/console.md has each', async () => {
    const routes: [string, AdminRoute][] = Object.entries(ADMIN_ROUTES);
    const names = routes.filter(([, { twoPerson }]) => twoPerson).map(([name]) => name);
    const page = await readFile(new URL('../../../../../docs/console.md', import.meta.url), 'utf8');
    const section = /\n## Two users\n.*?(?=\n## )/s.exec(page)?.[0];
    expect(section?.match(/(?<=`)[a-z]+[A-Z][A-Za-z]+(?=`)/g)?.sort()).toEqual([...names].sort());
    expect(names).toEqual([
      ...['voidRound', 'setPlayerLimits', 'settleWalletTransaction'],
      ...['addOperator', 'changeOperator', 'disableOperator', 'setOperatorLimits'],
      ...['rotateSecret', 'finishRotation', 'cancelRotation'],
      ...['addUser', 'changeUser', 'newUserLink'],
    ]);
  });

  it('waits, and runs as the requester when a second user approves', async () => {
    const { sessionID, betID, approvalID } = await wantVoid();
    expect(await isOpen(sessionID)).toBe(true);
    const { body } = await decide(BEN, approvalID);
    expect(body).toMatchObject({
      ...{ state: 'approved', requestedBy: ANN.email, decidedBy: BEN.email, subject: `round ${betID}` },
      ...{ outcome: { status: 200, message: null }, secret: 'none', isOwn: false, mayDecide: false },
    });
    expect(await isOpen(sessionID)).toBe(false);
    const subjects = [`approval ${approvalID}`, `round ${betID}`];
    const events = (await listEvents(server.db, {}, 10)).filter(({ subject }) => subjects.includes(subject));
    expect(events.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['approval_requested', `user:${ANN.email}`],
      ['approval_decided', `user:${BEN.email}`],
      ['round_voided', `user:${ANN.email}`],
    ]);
  });

  it('does not run when it is rejected, nor afterwards', async () => {
    const { sessionID, approvalID } = await wantVoid();
    expect((await decide(BEN, approvalID, 'reject')).body).toMatchObject({ state: 'rejected', outcome: null });
    expect(await decide(EVE, approvalID)).toMatchObject({ status: 409, body: { by: BEN.email } });
    expect(await isOpen(sessionID)).toBe(true);
  });

  it('is not decided by the requester, nor by a role without the right', async () => {
    const { sessionID, approvalID } = await wantVoid();
    for (const user of [ANN, VIEWER]) expect((await decide(user, approvalID)).status).toBe(403);
    expect(await isOpen(sessionID)).toBe(true);
  });

  it('runs once when two users approve at the same time', async () => {
    const { approvalID, betID } = await wantVoid();
    const outcomes = await Promise.all([BEN, EVE].map((user) => decide(user, approvalID)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(outcomes.find(({ status }) => status === 409)?.body.by).toMatch(/^(ben|eve)@staff\.example$/);
    expect(await listEvents(server.db, { kind: 'round_voided', subject: `round ${betID}` }, 10)).toHaveLength(1);
  });

  it('does not run when the requester has lost the right', async () => {
    const { sessionID, approvalID } = await wantVoid({ role: 'support', email: 'carl@staff.example' });
    await admin.as({ role: 'viewer', email: 'carl@staff.example' }).call('getAccount');
    expect((await decide(BEN, approvalID)).body).toMatchObject({ outcome: { status: 403 } });
    expect(await isOpen(sessionID)).toBe(true);
  });

  it('has the refusal as its outcome when what it wants has become impossible', async () => {
    const [first, second] = [await wantVoid(), await openRound()];
    const again = await admin
      .as(BEN)
      .call('voidRound', { params: { betID: first.betID }, body: { reason: 'the same round' } });
    await decide(EVE, first.approvalID);
    const { body } = await decide(EVE, again.body.approvalID);
    expect(body).toMatchObject({
      state: 'approved',
      outcome: { status: 409, message: 'the round was voided before' },
    });
    expect(await isOpen(second.sessionID)).toBe(true);
  });

  it('of a user of the server is unknown to the users of an operator', async () => {
    const { approvalID } = await wantVoid();
    const stranger: TestUser = { role: 'administrator', operator: OPERATOR };
    expect((await decide(stranger, approvalID)).status).toBe(404);
    const { body } = await admin.as(stranger).call('listApprovals');
    expect(body.items).toEqual([]);
  });
});

describe('a request that its handler would refuse', () => {
  const refused = async (user: TestUser, name: AdminRouteName, request: object) => {
    const before = await countApprovals();
    const response = await admin.as(user).call(name, request);
    expect(await countApprovals()).toBe(before);
    return response;
  };

  it('is refused at once when it is not valid, with the field', async () => {
    const { status } = await refused(ANN, 'voidRound', { params: { betID: 1 }, body: { reason: ' ' } });
    expect(status).toBe(400);
    const settings = { params: { operator: 'other' }, body: { currencies: ['QQQ'] } };
    expect(await refused(EVE, 'changeOperator', settings)).toMatchObject({
      status: 400,
      body: { fields: { currencies: expect.any(String) } },
    });
  });

  it('is refused at once when the requester cannot reach the object', async () => {
    const { betID, sessionID } = await openRound();
    const reason = { reason: 'not mine' };
    const { playerID } = (await admin.as(EVE).call('getRound', { params: { betID } })).body.round;
    const user = await admin.as(EVE).call('listUsers');
    expect(user.status).toBe(200);
    const body = { currency: 'USD', dailyWager: 0 };
    for (const [name, request] of [
      ['voidRound', { params: { betID }, body: reason }],
      ['setPlayerLimits', { params: { operator: OPERATOR, playerID }, body }],
      ['rotateSecret', { params: { operator: OPERATOR } }],
      ['changeUser', { params: { userID: 'nobody' }, body: { disabled: true } }],
    ] as const) {
      expect((await refused(STRANGER, name, request)).status, name).toBe(404);
    }
    const foreign = { email: 'spy@other.example', name: 'Spy', role: 'viewer', operator: OPERATOR };
    expect((await refused(STRANGER, 'addUser', { body: foreign })).status).toBe(403);
    expect(await isOpen(sessionID)).toBe(true);
  });

  it('is refused at once when somebody was faster', async () => {
    const { approvalID, betID } = await wantVoid();
    await decide(BEN, approvalID);
    const late = await refused(ANN, 'voidRound', { params: { betID }, body: { reason: 'again' } });
    expect(late).toMatchObject({ status: 409, body: { by: `user:${ANN.email}` } });
  });
});

describe('one administrator alone', () => {
  const NEW = 'puppet@staff.example';
  const wantUser = (email: string, by = EVE) =>
    admin.as(by).call('addUser', { body: { email, name: 'New', role: 'administrator', operator: null } });

  it('adds nobody, and the response says how many users may approve', async () => {
    const wanted = await wantUser('nobody@staff.example');
    expect(wanted).toMatchObject({ status: 202, body: { approvers: 0 } });
    expect((await decide(EVE, wanted.body.approvalID)).status).toBe(403);
    const fay = { email: FAY.email ?? '', name: 'Fay', role: 'administrator' as const, operator: null };
    // The first second user comes by the command.
    expect((await addUser(server.db, fay, BY_COMMAND)).ok).toBe(true);
    const again = await wantUser('nobody@staff.example');
    expect(again.body.approvers).toBe(1);
    expect(await server.db.consoleUser.count({ where: { email: 'nobody@staff.example' } })).toBe(0);
  });

  it('approves nothing through a user whom they have added, nor the other way round', async () => {
    const wanted = await wantUser(NEW);
    const added = await decide(FAY, wanted.body.approvalID);
    expect(added.body).toMatchObject({ outcome: { status: 200 }, secret: 'waiting' });
    const puppet: TestUser = { role: 'administrator', email: NEW };
    const { approvalID } = await wantVoid(EVE);
    expect(await decide(puppet, approvalID)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('count as one person') },
    });
    const listed = await admin.as(puppet).call('listApprovals', { query: { state: 'waiting' } });
    expect(listed.body.items.find((each: { approvalID: string }) => each.approvalID === approvalID)).toMatchObject({
      ...{ mayDecide: false, whyNot: expect.stringContaining('count as one person') },
    });
    const other = await wantVoid(puppet);
    expect((await decide(EVE, other.approvalID)).status).toBe(403);
    // The approver of the new user has not had the link.
    expect((await decide(FAY, other.approvalID)).body.outcome.status).toBe(200);
    expect((await decide(FAY, approvalID)).body.outcome.status).toBe(200);
  });

  it('of an operator is held to the same', async () => {
    const add = (email: string) =>
      admin.as(STRANGER).call('addUser', { body: { email, name: 'New', role: 'administrator', operator: 'other' } });
    const puppet: TestUser = { role: 'administrator', operator: 'other', email: 'puppet@other.example' };
    const wanted = await add(puppet.email ?? '');
    // Users of the server may approve it, and the operator's own.
    expect([wanted.status, wanted.body.approvers]).toEqual([202, expect.any(Number)]);
    expect((await decide(STRANGER, wanted.body.approvalID)).status).toBe(403);
    expect((await decide(FAY, wanted.body.approvalID)).body.outcome.status).toBe(200);
    const again = await add('second-puppet@other.example');
    expect(again.body.approvers).toBe(wanted.body.approvers);
    expect((await decide(puppet, again.body.approvalID)).status).toBe(403);
  });

  it('is tied to a user by a link, a role, and a new access, for 7 days; not by a name, nor by a command', async () => {
    const gus = { email: 'gus@staff.example', name: 'Gus', role: 'support' as const, operatorID: null };
    const userID = await insertConsoleUser(server.db, gus);
    const ties = async () =>
      (await listUserTies(server.db)).filter(({ user }) => user === gus.email).map(({ by }) => by);
    const approved = async (name: 'changeUser' | 'newUserLink', body: object, by: string) => {
      const asker: TestUser = { role: 'administrator', email: by };
      const { body: wanted } = await admin.as(asker).call(name, { params: { userID }, body });
      expect((await decide(FAY, wanted.approvalID)).body.outcome).toEqual({ status: 200, message: null });
    };
    await approved('changeUser', { name: 'Gustav' }, 'names@staff.example');
    await approved('changeUser', { disabled: true }, 'stops@staff.example');
    expect(await ties()).toEqual([]);
    await approved('changeUser', { disabled: false }, 'enables@staff.example');
    await approved('changeUser', { role: 'finance' }, 'raises@staff.example');
    await approved('changeUser', { operator: 'other' }, 'moves@staff.example');
    await approved('newUserLink', {}, 'links@staff.example');
    const all = ['enables', 'links', 'moves', 'raises'].map((name) => `${name}@staff.example`);
    expect((await ties()).sort()).toEqual(all);
    const sql = await openClient(server.databaseUrl);
    // The log refuses a change of its events.
    await sql.query(
      "SET session_replication_role = replica; UPDATE significant_events SET at = at - interval '7 days'",
    );
    await sql.end();
    expect(await ties()).toEqual([]);
  });
});

describe('what an approved action has made', () => {
  it('is shown to the requester alone, until they have it, and is nowhere in clear', async () => {
    const body = { email: 'linked@staff.example', name: 'Linked', role: 'viewer', operator: null };
    const { approvalID } = (await admin.as(EVE).call('addUser', { body })).body;
    expect((await receive(EVE, approvalID)).status).toBe(404);
    const decided = await decide(FAY, approvalID);
    expect(decided.body.secret).toBe('waiting');
    expect((await receive(FAY, approvalID)).status).toBe(404);
    const shown = await receive(EVE, approvalID);
    expect(shown.body.secret).toMatch(/^http.*\/welcome\?token=[\w-]{43}#\S+@\S+$/);
    const token = new URL(shown.body.secret).searchParams.get('token') ?? '-';
    // A response that is lost on its way loses nothing.
    expect((await receive(EVE, approvalID)).body).toEqual(shown.body);
    const listed = await admin.as(EVE).call('listApprovals');
    for (const text of [decided.text, listed.text, await stored()]) expect(text).not.toContain(token);
    const confirm = (user: TestUser) => admin.as(user).call('confirmApprovalSecret', { params: { approvalID } });
    expect((await confirm(FAY)).status).toBe(404);
    expect((await confirm(EVE)).body).toMatchObject({ secret: 'received', isOwn: true });
    expect([(await receive(EVE, approvalID)).status, (await confirm(EVE)).status]).toEqual([404, 404]);
    const events = await listEvents(server.db, { kind: 'console_action', subject: 'showApprovalSecret' }, 1);
    expect(events[0]?.actor).toBe(`user:${EVE.email}`);
  });
});

it('what an approval keeps is encrypted anew with another first key', async () => {
  const body = { email: 'sealed@staff.example', name: 'Sealed', role: 'viewer', operator: null };
  const { approvalID } = (await admin.as(EVE).call('addUser', { body })).body;
  await decide(FAY, approvalID);
  const { secret } = (await receive(EVE, approvalID)).body;
  const db = openDatabase({ url: server.databaseUrl, secretsKey: `${'b2'.repeat(32)},${SECRETS_KEY}` });
  try {
    expect(await sealApprovals(db)).toBeGreaterThan(0);
    expect(await sealApprovals(db)).toBe(0);
    const { sealedSecret } = await db.consoleApproval.findUniqueOrThrow({ where: { id: BigInt(approvalID) } });
    expect(db.secretKeys.isCurrent(sealedSecret ?? '')).toBe(true);
    const requesterID = EVE.email ?? '';
    expect(await openApprovalSecret(db, { approvalID: BigInt(approvalID), requesterID })).toBe(secret);
    // The console of this file has the old key alone.
    await db.consoleApproval.updateMany({ data: { sealedSecret: null } });
  } finally {
    await db.$disconnect();
  }
});

describe('the keys of a dialect', () => {
  it('are applied when the request is approved, and are nowhere in clear meanwhile', async () => {
    const { secret } = PRAGMATIC;
    const body = { code: 'praxis', walletUrl: WALLET, dialect: 'pragmatic', dialectSettings: PRAGMATIC };
    const { approvalID } = (await admin.as(EVE).call('addOperator', { body })).body;
    const listed = await admin.as(VIEWER).call('listApprovals', { query: { subject: 'operator praxis' } });
    expect(listed.body.items[0].body.dialectSettings).toEqual({ secret: 'set', secureLogin: 'set', providerId: 'set' });
    for (const text of [listed.text, await stored()]) expect(text).not.toContain(secret);
    expect((await decide(FAY, approvalID)).body).toMatchObject({ outcome: { status: 200 }, secret: 'waiting' });
    const { dialectSettings: sealed } = await server.db.operator.findUniqueOrThrow({ where: { code: 'praxis' } });
    expect(JSON.parse(server.db.secretKeys.open(sealed ?? '', 'praxis'))).toMatchObject({ secret });
    const { sealedBody } = await server.db.consoleApproval.findUniqueOrThrow({ where: { id: BigInt(approvalID) } });
    expect(sealedBody).toBeNull();
    expect(await stored()).not.toContain(secret);
  });
});

describe('an approval, its action and its outcome', () => {
  it('happen together: when the connection dies between action and outcome, the request waits on and runs once', async () => {
    const { sessionID, betID, approvalID } = await wantVoid();
    await server.db.$executeRawUnsafe(`
      CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`);
    await server.db.$executeRawUnsafe(`
      CREATE TRIGGER dies BEFORE UPDATE ON console_approvals
      FOR EACH ROW WHEN (NEW.outcome_status IS NOT NULL) EXECUTE FUNCTION end_connection()`);
    expect((await decide(BEN, approvalID)).status).toBeGreaterThanOrEqual(500);
    await server.db.$executeRaw`DROP FUNCTION end_connection CASCADE`;
    expect(await isOpen(sessionID)).toBe(true);
    const waiting = await admin.as(BEN).call('listApprovals', { query: { subject: `round ${betID}` } });
    expect(waiting.body.items).toMatchObject([{ state: 'waiting', outcome: null, mayDecide: true }]);
    expect((await decide(BEN, approvalID)).body.outcome).toEqual({ status: 200, message: null });
    const refunds = await server.db.transfer.count({ where: { roundId: BigInt(betID), kind: 'refund' } });
    expect([refunds, await isOpen(sessionID)]).toEqual([1, false]);
    expect(
      await listEvents(server.db, { kind: 'approval_decided', subject: `approval ${approvalID}` }, 10),
    ).toHaveLength(1);
  });
});

describe('the words of a request', () => {
  const textOf = ({ field, before, after }: Approval['details'][number]) =>
    `${field}: ${before === null ? '' : `${before} → `}${after}`;

  it.each<[AdminRouteName, object, RegExp, readonly string[]]>([
    [
      'addOperator',
      { body: { code: 'words', name: 'Words', walletUrl: WALLET, currencies: ['USD'], isDefault: false } },
      /^Add operator words\./,
      [
        'Name: Words',
        `Wallet: ${WALLET}`,
        'Currencies: USD',
        'Default operator: no',
        'Secret: made by the server, and shown to the requester',
      ],
    ],
    [
      'changeOperator',
      {
        params: { operator: 'words' },
        body: {
          ...{ walletUrl: 'https://evil.example', dialect: 'pragmatic', currencies: [], draws: null, isDefault: false },
          ...{
            jurisdiction: { minimumRoundDuration: 3_000, maxStake: { USD: 2_500_000 } },
            dialectSettings: PRAGMATIC,
          },
        },
      },
      /^Change settings of operator words\./,
      [
        `Wallet: ${WALLET} → https://evil.example`,
        'Dialect: roundhouse → pragmatic',
        expect.stringMatching(
          /^Dialect settings: secret \(fingerprint [0-9a-f]{4}\), secureLogin /,
        ) as unknown as string,
        'Currencies: USD → all',
        'Default operator: no → no',
        'Draws: as set by the game → as set by the game',
        'Jurisdiction, minimum round duration: none → 3000',
        'Jurisdiction, max stake: none → $2.50',
      ],
    ],
    [
      'disableOperator',
      { params: { operator: 'words' }, body: { disabled: true, reason: 'The contract has ended' } },
      /^Disable operator words: all its players are stopped at once/,
      ['Disabled: no → yes', 'Reason: The contract has ended'],
    ],
    [
      'setOperatorLimits',
      {
        params: { operator: 'words' },
        body: { limits: [{ currency: 'USD', maxBetMicros: 12_500_000, largeWinMicros: null }] },
      },
      /^Change limits of operator words in USD\./,
      ['USD, max bet: none → $12.50', 'USD, large win: none → none'],
    ],
    [
      'rotateSecret',
      { params: { operator: 'words' } },
      /^Make a second secret for operator words\./,
      [expect.stringMatching(/^Fingerprint of the current secret: [0-9a-f]{4}$/) as unknown as string],
    ],
    [
      'cancelRotation',
      { params: { operator: 'words' } },
      /^Cancel the rotation of the secret of operator words/,
      [
        expect.stringMatching(/^Fingerprint of the current secret: /) as unknown as string,
        expect.stringMatching(/^Fingerprint of the new secret: [0-9a-f]{4}$/) as unknown as string,
      ],
    ],
    ['rotateSecret', { params: { operator: 'words' } }, /^Make a second secret/, [expect.any(String)]],
    [
      'finishRotation',
      { params: { operator: 'words' } },
      /^Finish the rotation of the secret of operator words: .* its players cannot play\.$/,
      [expect.any(String), expect.any(String)],
    ],
    [
      'addUser',
      { body: { email: 'Hal@staff.example', name: 'Hal', role: 'gameManager', operator: 'other' } },
      /^Add hal@staff\.example \(Hal\) as game manager of operator other\. Whoever has the link sets the password/,
      [],
    ],
    [
      'changeUser',
      { params: { userID: 'hal' }, body: { role: 'administrator', operator: null } },
      /^Change hal@staff\.example \(Hal, game manager of operator other\)\./,
      ['Role: game manager → administrator', 'Belongs to: operator other → the server'],
    ],
    [
      'newUserLink',
      { params: { userID: 'hal' }, body: { resetSecondFactor: true } },
      /^Make a new link for hal@staff\.example \(Hal, administrator of the server\)\./,
      ['Second factors: removed, app and passkeys; the sessions end'],
    ],
  ])('say what will be done: %s', async (name, request, what, details) => {
    const { params = {} } = request as { params?: { userID?: string } };
    if (params.userID === 'hal') {
      params.userID = (await server.db.consoleUser.findUniqueOrThrow({ where: { email: 'hal@staff.example' } })).id;
    }
    const wanted = await admin.as(EVE).call(name, request);
    expect(wanted.status, wanted.text).toBe(202);
    const decided = await decide(FAY, wanted.body.approvalID);
    expect(decided.body, decided.text).toMatchObject({ route: name, outcome: { status: 200, message: null } });
    expect(decided.body.what).toMatch(what);
    expect(decided.body.details.map(textOf)).toEqual(details);
  });

  it('say what is done to a round and to a player', async () => {
    const { betID } = await openRound();
    const { round } = (await admin.as(EVE).call('getRound', { params: { betID } })).body;
    const { playerID } = round;
    await admin.as(ANN).call('voidRound', { params: { betID }, body: { reason: 'complaint 8' } });
    const player = { params: { operator: OPERATOR, playerID }, body: { currency: 'USD', dailyWager: 5 * UNIT } };
    const { approvalID } = (await admin.as(ANN).call('setPlayerLimits', player)).body;
    expect((await decide(BEN, approvalID)).body.outcome).toEqual({ status: 200, message: null });
    const listed = await admin.as(BEN).call('listApprovals', { query: { limit: 2 } });
    expect(listed.body.items).toMatchObject([
      {
        subject: `player ${playerID} of operator ${OPERATOR}`,
        what: `Set the daily limits (UTC) of player ${playerID} of operator ${OPERATOR} in USD.`,
        details: [{ field: 'Daily wager limit', before: 'none', after: '$5.00' }],
      },
      {
        subject: `round ${betID}`,
        what: `Void round ${betID}: returns $1.00 to player ${playerID} of operator ${OPERATOR}; the round pays nothing.`,
        details: [{ field: 'Reason', before: null, after: 'complaint 8' }],
      },
    ]);
  });
});

it('the list of approvals comes page by page, and says what the user may decide', async () => {
  const wanted = [await wantVoid(), await wantVoid(), await wantVoid()].map(({ approvalID }) => approvalID).reverse();
  const first = await admin.as(BEN).call('listApprovals', { query: { state: 'waiting', limit: 2 } });
  expect(first.body.items.map((each: { approvalID: string }) => each.approvalID)).toEqual(wanted.slice(0, 2));
  expect(first.body.items[0]).toMatchObject({ route: 'voidRound', body: { reason: 'complaint 7' }, mayDecide: true });
  const second = await admin
    .as(ANN)
    .call('listApprovals', { query: { state: 'waiting', limit: 2, cursor: first.body.cursor } });
  expect(second.body.items[0]).toMatchObject({ approvalID: wanted[2], mayDecide: false, isOwn: true });
});
