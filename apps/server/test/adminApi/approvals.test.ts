import { ADMIN_ROUTES, type AdminRoute } from '@roundhouse/contract/admin-routes';
import { describe, expect, it } from 'vitest';
import { listEvents } from '../../src/ledger/queries/significantEvents.ts';
import { type TestUser, useTestAdmin } from '../support/adminServer.ts';
import { OPERATOR, sessionInRound, useTestServer } from '../support/testServer.ts';

const server = useTestServer();
const admin = useTestAdmin(server, { twoPerson: true });

const ANN: TestUser = { role: 'support', email: 'ann@staff.example' };
const BEN: TestUser = { role: 'support', email: 'ben@staff.example' };
const EVE: TestUser = { role: 'administrator', email: 'eve@staff.example' };
const VIEWER: TestUser = { role: 'viewer', email: 'vic@staff.example' };

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

const isOpen = async (sessionID: string) => (await server.roundOf(sessionID)).active === true;

describe('an action that needs two users', () => {
  it('is one of these', () => {
    const routes: [string, AdminRoute][] = Object.entries(ADMIN_ROUTES);
    expect(routes.filter(([, { twoPerson }]) => twoPerson).map(([name]) => name)).toEqual([
      ...['voidRound', 'setPlayerLimits', 'settleWalletTransaction', 'setOperatorLimits'],
      ...['rotateSecret', 'finishRotation', 'cancelRotation'],
    ]);
  });

  it('waits, and runs as the user who asked when a second user approves', async () => {
    const { sessionID, betID, approvalID } = await wantVoid();
    expect(await isOpen(sessionID)).toBe(true);
    const { body } = await decide(BEN, approvalID);
    expect(body).toMatchObject({
      status: 200,
      approval: { state: 'approved', requestedBy: ANN.email, decidedBy: BEN.email },
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
    expect((await decide(BEN, approvalID, 'reject')).body).toMatchObject({
      status: 0,
      approval: { state: 'rejected' },
    });
    expect(await decide(EVE, approvalID)).toMatchObject({ status: 409, body: { by: BEN.email } });
    expect(await isOpen(sessionID)).toBe(true);
  });

  it('is not decided by who asked, nor by a role without the right', async () => {
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

  it('does not run when the user who asked has lost the right', async () => {
    const { sessionID, approvalID } = await wantVoid({ role: 'support', email: 'carl@staff.example' });
    await admin.as({ role: 'viewer', email: 'carl@staff.example' }).call('getAccount');
    expect((await decide(BEN, approvalID)).body).toMatchObject({ status: 403 });
    expect(await isOpen(sessionID)).toBe(true);
  });

  it('is refused at once when the request is not valid', async () => {
    const { status } = await admin.as(ANN).call('voidRound', { params: { betID: 1 }, body: { reason: ' ' } });
    expect(status).toBe(400);
  });

  it('of a user of the server is unknown to the users of an operator', async () => {
    const { approvalID } = await wantVoid();
    const stranger: TestUser = { role: 'administrator', operator: OPERATOR };
    expect((await decide(stranger, approvalID)).status).toBe(404);
    const { body } = await admin.as(stranger).call('listApprovals');
    expect(body.items).toEqual([]);
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
  expect(second.body.items[0]).toMatchObject({ approvalID: wanted[2], mayDecide: false });
});
