import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { AdminEvent, VerifyResult } from '@roundhouse/contract/admin';
import { openClient } from '@roundhouse/service';
import { beforeAll, describe, expect, it } from 'vitest';
import { asActor } from '../../../src/staff/console/actor.ts';
import { disableOperator } from '../../../src/store/operators/operators.ts';
import { verifyChain } from '../../../src/store/watch/eventChain.ts';
import { listEvents, pageOfEvents, recordEvent } from '../../../src/store/watch/significantEvents.ts';
import { useTestAdmin } from '../../support/adminServer.ts';
import { addSeamlessOperator } from '../../support/seamlessServer.ts';
import { sessionInRound, useTestServer } from '../../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server);
const COMPLIANCE = { role: 'compliance' } as const;
const HOSTILE = '"><script>alert(1)</script>';

const list = (query: Record<string, string | number> = {}, user: Parameters<typeof admin.as>[0] = COMPLIANCE) =>
  admin.as(user).call('listEvents', { query });
const subjectsOf = ({ body }: { body: { items: AdminEvent[] } }) => body.items.map(({ subject }) => subject);

/** Follows the cursors to the end. */
async function allOf(query: Record<string, string | number>, user?: Parameters<typeof admin.as>[0]) {
  const events: AdminEvent[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, text, body } = await list({ ...query, ...(cursor !== undefined && { cursor }) }, user);
    expect(status, text).toBe(200);
    events.push(...body.items);
    cursor = body.cursor;
  }
  return events;
}

describe('the list', () => {
  it('has the newest first, with values as JSON, in pages', async () => {
    for (let index = 0; index < 5; index += 1) {
      await recordEvent(server.db, {
        ...{ kind: 'node_started', subject: `node listed ${index}` },
        ...(index > 0 && { before: { index: index - 1, text: HOSTILE } }),
        after: { index },
      });
      // The filter has milliseconds, and the next event must come in a later one.
      await wait(2);
    }
    const events = await allOf({ subject: 'listed', limit: 2 });
    expect(events.map(({ subject }) => subject)).toEqual([4, 3, 2, 1, 0].map((index) => `node listed ${index}`));
    expect(events[0]).toMatchObject({ before: { index: 3, text: HOSTILE }, after: { index: 4 } });
    expect(events[4]).toMatchObject({ before: null, after: { index: 0 } });
    expect(events[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    const time = { subject: 'listed', from: events[2]?.at ?? '', to: events[0]?.at ?? '' };
    expect((await allOf(time)).map(({ subject }) => subject)).toEqual(['node listed 3', 'node listed 2']);
  });

  it('is filtered by kind, actor, subject and time', async () => {
    await asActor('user:filtered@x.example', () =>
      recordEvent(admin.db, { kind: 'node_stopped', subject: 'node filtered' }),
    );
    for (const query of [
      { actor: 'filtered@x' },
      { kind: 'node_stopped', subject: 'filtered' },
      { kind: 'node_stopped', actor: 'user:filtered' },
    ]) {
      expect(subjectsOf(await list(query))).toEqual(['node filtered']);
    }
    expect(subjectsOf(await list({ kind: 'node_started', subject: 'filtered' }))).toEqual([]);
    const hour = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString();
    expect(subjectsOf(await list({ subject: 'filtered', from: hour(-1), to: hour(1) }))).toEqual(['node filtered']);
    expect(subjectsOf(await list({ subject: 'filtered', to: hour(-1) }))).toEqual([]);
    expect(subjectsOf(await list({ subject: 'filtered', from: hour(1) }))).toEqual([]);
    expect((await list()).body.kinds.node_stopped).toEqual(expect.any(String));
  });

  it('goes on behind a page that finds nothing, and says how far it has read', async () => {
    await recordEvent(server.db, { kind: 'node_started', subject: 'node deep' });
    for (let index = 0; index < 6; index += 1)
      await recordEvent(server.db, { kind: 'node_stopped', subject: 'node x' });
    const wanted = { subject: 'node deep', limit: 5, span: 4 };
    const first = await pageOfEvents(server.db, wanted);
    expect(first).toMatchObject({ events: [], next: expect.any(BigInt), searchedTo: expect.any(String) });
    const second = await pageOfEvents(server.db, { ...wanted, before: first.next });
    expect(second.events.map(({ subject }) => subject)).toEqual(['node deep']);
    expect((await listEvents(server.db, { subject: 'node deep' })).length).toBe(1);
  });

  it.each([
    [{ kind: 'nothing' }],
    [{ kind: '__proto__' }],
    [{ cursor: 'x' }],
    [{ from: 'today' }],
    [{ actor: 'a\0' }],
    [{ subject: '' }],
    [{ limit: 0 }],
  ])('is refused: %j', async (query) => {
    expect((await list(query as Record<string, string>)).status).toBe(400);
  });
});

describe("an operator's user", () => {
  const ACME = { role: 'compliance', operator: 'acme' } as const;
  const BETA = { role: 'compliance', operator: 'beta' } as const;
  /** The subjects that the users of each operator must see. */
  const subjects = { acme: new Set<string>(), beta: new Set<string>() };

  beforeAll(async () => {
    const { db } = server;
    for (const code of ['acme', 'beta'] as const) {
      await addSeamlessOperator(db, { code, url: 'http://127.0.0.1:9' });
      await disableOperator(db, { code, disabled: true });
      await disableOperator(db, { code, disabled: false });
      const { id: operatorId } = await db.operator.findUniqueOrThrow({ where: { code } });
      await db.operatorLimit.create({ data: { operatorId, currency: 'USD', maxBetMicros: 5n } });
      // The name of a player can hold whatever an operator sends, and the code of another operator.
      const other = code === 'acme' ? 'beta' : 'acme';
      const externalId = `x of operator ${other}`;
      const player = await db.player.create({ data: { operatorId, externalId } });
      await db.player.update({ where: { id: player.id }, data: { loginExpiresAt: new Date() } });
      await admin.as({ role: 'viewer', operator: code }).call('voidRound', { params: { betID: 1 } });
      await db.consoleUser.create({
        data: { id: code, email: `${code}@x.example`, name: code, role: 'viewer', operatorId },
      });
      for (const subject of [
        ...[`operator ${code}`, `operator ${code} in USD`, `player ${externalId} of operator ${code}`],
        ...[`request voidRound of operator ${code}`, `user ${code}@x.example`],
      ]) {
        subjects[code].add(subject);
      }
    }
  });

  it.each([
    ['acme', ACME],
    ['beta', BETA],
  ] as const)('sees what is about the own operator, and nothing else: %s', async (code, user) => {
    const seen = new Set((await allOf({ limit: 200 }, user)).map(({ subject }) => subject));
    expect([...seen].sort()).toEqual([...subjects[code]].sort());
  });

  it('sees rounds, sessions and accounts of the own players', async () => {
    const { db } = server;
    await sessionInRound(server);
    const round = await db.round.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const about = [`round ${round.id}`, `session ${round.sessionId}`, `account ${round.accountId} of player x`];
    for (const subject of about) await recordEvent(db, { kind: 'round_voided', subject: subject });
    for (const subject of ['round 999999999', 'round 12345678901234567890', 'session x', 'account', 'approval 1']) {
      await recordEvent(db, { kind: 'round_voided', subject });
    }
    const house = { role: 'compliance', operator: 'house' } as const;
    const seen = (await allOf({ kind: 'round_voided' }, house)).map(({ subject }) => subject);
    expect(seen.sort()).toEqual([...about].sort());
    expect(await allOf({ kind: 'round_voided' }, ACME)).toEqual([]);
  });

  it('sees no event of a user who has belonged to another operator', async () => {
    const { db } = server;
    const { id: operatorId } = await db.operator.findUniqueOrThrow({ where: { code: 'acme' } });
    await db.consoleUser.create({ data: { id: 'moved', email: 'moved@x.example', name: 'm', role: 'viewer' } });
    await db.consoleUser.update({ where: { id: 'moved' }, data: { operatorId } });
    expect(await allOf({ subject: 'moved@x.example' }, ACME)).toEqual([]);
    expect(await allOf({ subject: 'moved@x.example' })).toHaveLength(2);
  });

  it('may not verify the log, which is that of the server', async () => {
    expect((await admin.as(ACME).call('verifyEvents')).status).toBe(403);
  });
});

describe('verify', () => {
  const verify = async () => {
    const { status, text } = await admin.as(COMPLIANCE).call('verifyEvents');
    expect(status, text).toBe(200);
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as VerifyResult;
  };

  it('says that the log is whole, with its head; a changed row is named', async () => {
    expect(await verify()).toMatchObject({ kind: 'result', isWhole: true, issues: [], issueCount: 0 });
    const tamperer = await openClient(server.databaseUrl);
    try {
      await tamperer.query('SET session_replication_role = replica');
      await tamperer.query('UPDATE significant_events SET actor = actor || $1 WHERE seq = 3', [HOSTILE]);
      expect(await verify()).toMatchObject({
        isWhole: false,
        issueCount: 1,
        issues: [{ event: 'event 3', what: 'was changed' }],
      });
      await tamperer.query("UPDATE significant_events SET actor = replace(actor, $1, '') WHERE seq = 3", [HOSTILE]);
      expect(await verify()).toMatchObject({ isWhole: true });
    } finally {
      await tamperer.end();
    }
  });

  it('runs once at a time', async () => {
    const responses = await Promise.all(Array.from({ length: 4 }, () => admin.as(COMPLIANCE).call('verifyEvents')));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const { status, body } of responses)
      if (status !== 200) expect([status, body.by]).toEqual([409, expect.any(String)]);
    expect((await admin.as(COMPLIANCE).call('verifyEvents')).status).toBe(200);
  });

  it('counts issues beyond those that it names', async () => {
    const events = Array.from({ length: 3_000 }, (_, index) => ({
      ...{ id: BigInt(index + 1), seq: BigInt(index + 1), at: '', actor: randomUUID(), kind: '', subject: '' },
      ...{ before: null, after: null, previousHash: null, hash: 'wrong' },
    }));
    const head = { seq: 3_000n, hash: 'wrong' };
    const { issues, issueCount, count } = await verifyChain({ events, head, mostIssues: 10 });
    expect([count, issueCount, issues.length]).toEqual([3_000, 3_000, 10]);
  });
});
