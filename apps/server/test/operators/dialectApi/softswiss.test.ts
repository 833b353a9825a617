import { createHmac, randomUUID } from 'node:crypto';
import { aggregatorOf } from '@roundhouse/aggregators';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectSignatureRefused, itMovesMoneyOnce, itSurvives } from '../../support/dialectLaws.ts';
import { itPlaysWithQuirks, useDialectServer } from '../../support/dialectServer.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { expectRefusal, wholeState } from '../../support/snapshot.ts';
import { OPENING, UNIT } from '../../support/testServer.ts';

const kit = aggregatorOf('softswiss');
if (kit === undefined) throw new Error('there is no simulator of softswiss');
const server = useDialectServer({ kit });

const BALANCE = '/v2/provider_a8r.Player/Balance';
const BET_WIN = '/v2/provider_a8r.Round/BetWin';
const FINISH = '/v2/provider_a8r.Round/Finish';
const FREE_SPINS = '/v2/provider_a8r.Freespins/Finish';

let last: ReturnType<typeof server.simulator.exchanges>[number] | undefined;
beforeEach(() => {
  [last] = server.simulator.exchanges();
});

itPlaysWithQuirks(server);
const isWin = ({ body }: { body: any }) => body.transactions?.[0].type === 'win';
itMovesMoneyOnce(server, {
  bet: BET_WIN,
  win: BET_WIN,
  winsOf: () => requests().filter(isWin),
  tokenOf: () => requests()[0]?.body.session_id,
});
/** Returns the requests of this test to the wallet API, without those for a balance. */
function requests(): { path: string; body: any }[] {
  const all = server.simulator.exchanges();
  const end = last === undefined ? -1 : all.indexOf(last);
  const mine = (end < 0 ? all : all.slice(0, end)).filter(({ request }) => request.path !== BALANCE);
  return mine.map(({ request }) => ({ path: request.path, body: JSON.parse(String(request.body)) })).reverse();
}
// A studio tells the aggregator the bets of its games, here in cents.
beforeAll(() => void server.simulator.world.memory.set('bet levels of fixture', [20n, 100n, 10_000n]));

const balanceOf = (player: string) => server.simulator.balance(player, 'EUR');
const transactionsOf = async (betID: number) => {
  const rows = await server.db.walletTransaction.findMany({ where: { roundId: BigInt(betID) } });
  return rows.map(({ kind, state }) => `${kind} ${state}`).sort();
};
const fault = (kind: string, path: string, next = 1) => {
  expect(server.simulator.faults.setPlan({ faults: [{ kind, path, next }] })).toMatchObject({ ok: true });
};

describe('a round', () => {
  it('takes its bet, and pays its win when it is closed', async () => {
    const { player, sessionID } = await server.enter();
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(balanceOf(player)).toBe(OPENING - UNIT);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING + UNIT / 2);
    const [bet, win] = requests();
    const place = { account_id: player, currency: 'EUR', game_id: 'fixture', round_id: String(body.round.betID) };
    const token = server.simulator.world.tokens.find(bet?.body.session_id);
    expect(token).toMatchObject({ player, currency: 'EUR', gameID: 'fixture' });
    expect([bet, win]).toMatchObject([
      { path: BET_WIN, body: { ...place, finished: false, transactions: [{ type: 'bet', amount: '1.00' }] } },
      { path: BET_WIN, body: { ...place, finished: true, transactions: [{ type: 'win', amount: '1.50' }] } },
    ]);
    expect(await transactionsOf(body.round.betID)).toEqual(['credit accepted', 'debit accepted']);
  });

  it('that is lost and closes at once is one request, and nothing is pending', async () => {
    const { player, sessionID } = await server.enter();
    const { body } = await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    const transactions = [{ type: 'bet', amount: '1.00' }];
    expect(requests()).toMatchObject([{ path: BET_WIN, body: { finished: true, transactions } }]);
    // The server keeps the credit of 0 as settled, and sends no request for it.
    expect(await transactionsOf(body.round.betID)).toEqual(['credit accepted', 'debit accepted']);
    expect(await server.db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
    expect(balanceOf(player)).toBe(OPENING - UNIT);
    expect(await server.roundOf(sessionID)).toMatchObject({ active: false });
    expect((await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' })).status).toBe(200);
  });

  it('that is lost and does not close at once is finished by a separate request', async () => {
    const { player, sessionID } = await server.enter();
    const { body } = await server.playBook(sessionID, BOOK.pays0);
    expect((await server.endRound(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
    const [bet, finish] = requests();
    expect(bet?.body).toMatchObject({ finished: false });
    expect(finish).toMatchObject({ path: FINISH, body: { account_id: player, round_id: String(body.round.betID) } });
  });
});

describe('free spins', () => {
  const HOUR_MS = 3_600_000;
  const issue = async (player: string, rounds: number) => {
    const grant = { id: randomUUID(), player, gameID: 'fixture', currency: 'EUR', bet: UNIT, rounds };
    await server.simulator.giveFreeRounds({ ...grant, endsAt: new Date(Date.now() + HOUR_MS) } as never);
    return grant.id;
  };
  const stateOf = async (grantID: string) =>
    (await server.db.grant.findFirstOrThrow({ where: { externalId: grantID } })).state;

  it('are played without requests to the wallet, and end with one that pays their sum', async () => {
    const { player, sessionID } = await server.enter();
    const issueID = await issue(player, 2);
    const { body } = await server.playBook(sessionID, BOOK.pays150);
    expect(body.round).toMatchObject({ grantID: issueID });
    await server.endRound(sessionID);
    await server.playBook(sessionID, BOOK.pays20);
    expect(requests()).toEqual([]);
    expect(balanceOf(player)).toBe(OPENING);
    fault('lost_response', FREE_SPINS);
    await server.endRound(sessionID);
    await server.settled();
    const finish = { path: FREE_SPINS, body: { issue_id: issueID, amount: '1.70' } };
    expect(requests()).toEqual([finish, finish]);
    expect(balanceOf(player)).toBe(OPENING + 1.7 * UNIT);
    expect(await stateOf(issueID)).toBe('finished');
    // The next play is paid for again.
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    expect(balanceOf(player)).toBe(OPENING + 0.7 * UNIT);
  });

  it('whose balance cannot be read keep the round, and roll nothing back at the wallet', async () => {
    const { player, sessionID } = await server.enter();
    const issueID = await issue(player, 1);
    fault('lost_response', BALANCE);
    expectRefusal(await server.playBook(sessionID, BOOK.pays150), 'ERR_GEN');
    await server.settled();
    expect(requests()).toEqual([]);
    expect((await server.playBook(sessionID, BOOK.pays150)).body.round).toMatchObject({ grantID: issueID });
    await server.endRound(sessionID);
    await server.settled();
    expect(balanceOf(player)).toBe(OPENING + 1.5 * UNIT);
  });

  it('that are cancelled pay what they have won', async () => {
    const { player, sessionID } = await server.enter();
    const issueID = await issue(player, 5);
    await server.playBook(sessionID, BOOK.pays150);
    await server.endRound(sessionID);
    await server.simulator.aggregator.cancelFreeRounds?.(server.simulator.world, issueID);
    await server.settled();
    expect(requests()).toMatchObject([{ path: FREE_SPINS, body: { issue_id: issueID, amount: '1.50' } }]);
    expect(await stateOf(issueID)).toBe('cancelled');
    expect(balanceOf(player)).toBe(OPENING + 1.5 * UNIT);
  });
});

/** The owner of the wallet sends these requests. */
const account = { id: 'ann', currency: 'EUR', country: 'FI' };
const launch = {
  casino_id: 'roundhouse-casino',
  game: 'fixture',
  locale: 'en',
  client_type: 'desktop',
  session_id: 'S1',
  account,
};
const issued = {
  casino_id: 'roundhouse-casino',
  issue_id: 'issue-1',
  games: ['fixture'],
  freespins_quantity: 3,
  bet_level: 2,
  valid_until: '2090-01-01T00:00:00Z',
  account,
};
const cancelled = { casino_id: 'roundhouse-casino', issue_id: 'issue-1' };
const GOOD = {
  'Launcher/Real': launch,
  'Launcher/Demo': { ...launch, account: undefined, session_id: undefined },
  'Freespins/Issue': issued,
  'Freespins/Cancel': cancelled,
};
type Rpc = keyof typeof GOOD;

function signed(body: string | Uint8Array, token = server.simulator.world.keys.secret): string {
  return createHmac('sha256', token).update(body).digest('hex');
}

async function send(
  rpc: string,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'x-request-sign': signed(body) },
) {
  const url = `${server.url}/dialects/acme/v2/a8r_provider.${rpc}`;
  const response = await fetch(url, { method: 'POST', headers, body: body as string });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}

const ask = (rpc: string, content: object) => send(rpc, JSON.stringify(content));

describe('a request of the aggregator', () => {
  it('opens the game for fun, without a session', async () => {
    const { status, body } = await ask('Launcher/Demo', GOOD['Launcher/Demo']);
    expect(status).toBe(200);
    const { searchParams } = new URL(body.launch_url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ demo: 'true', currency: 'EUR', lang: 'en' });
    expect(searchParams.has('sessionID')).toBe(false);
  });

  it('that gives or cancels free spins can be repeated, and not with another content', async () => {
    expect(await ask('Freespins/Issue', issued)).toMatchObject({ status: 200, body: {} });
    const before = await wholeState(server);
    expect(await ask('Freespins/Issue', issued)).toMatchObject({ status: 200, body: {} });
    const taken = await ask('Freespins/Issue', { ...issued, freespins_quantity: 4 });
    expect(taken).toMatchObject({ status: 400, body: { code: 'already_exists', meta: { api_code: '409' } } });
    expect(await wholeState(server)).toEqual(before);
    for (const _ of ['once', 'again'])
      expect(await ask('Freespins/Cancel', cancelled)).toMatchObject({ status: 200, body: {} });
  });

  it('that launches can be replayed: another session begins, and no money moves', async () => {
    const { accounts, rounds, wallet_transactions } = await wholeState(server);
    const urls = [await ask('Launcher/Real', launch), await ask('Launcher/Real', launch)].map(
      ({ body }) => body.launch_url,
    );
    expect(new Set(urls).size).toBe(2);
    expect(await wholeState(server)).toMatchObject({ accounts, rounds, wallet_transactions });
  });

  it.each<[name: string, rpc: Rpc, content: object, status: number, apiCode: string, message?: string]>([
    ['an unknown game', 'Launcher/Real', { ...launch, game: 'none' }, 400, '405'],
    ['an unknown currency', 'Launcher/Real', { ...launch, account: { ...account, currency: 'QQQ' } }, 400, '154'],
    [
      'a currency whose bets do not fit',
      'Launcher/Real',
      { ...launch, account: { ...account, currency: 'JPY' } },
      ...[400, '154', 'these bets do not fit: 10000000'],
    ] as never,
    ['a page that is no address', 'Launcher/Real', { ...launch, urls: { return_url: 'javascript:1' } }, 400, '400'],
    ['an unknown game for fun', 'Launcher/Demo', { ...launch, game: 'none' }, 400, '405'],
    [
      'free spins of the past',
      'Freespins/Issue',
      { ...issued, issue_id: 'p', valid_until: '2020-01-01T00:00:00Z' },
      400,
      '400',
    ],
    ['free spins in an unknown game', 'Freespins/Issue', { ...issued, issue_id: 'g', games: ['none'] }, 400, '601'],
    ['a level that the game does not have', 'Freespins/Issue', { ...issued, issue_id: 'l', bet_level: 4 }, 400, '400'],
    [
      'more free spins than are allowed',
      'Freespins/Issue',
      { ...issued, issue_id: 'm', freespins_quantity: 2 ** 40 },
      400,
      '400',
    ],
    ['an unknown issue', 'Freespins/Cancel', { ...cancelled, issue_id: 'none' }, 400, '620'],
    ['an unknown casino', 'Launcher/Real', { ...launch, casino_id: 'other' }, 403, '403'],
  ])('is refused for %s, and changes nothing', async (_, rpc, content, status, apiCode, message = '') => {
    const before = await wholeState(server);
    const response = await ask(rpc, content);
    expect(response).toMatchObject({ status, body: { meta: { api_code: apiCode } } });
    expect(response.body.msg).toContain(message);
    expect(await wholeState(server)).toEqual(before);
  });

  it.each<[name: string, headers: (body: string) => Record<string, string>]>([
    ['no signature', () => ({})],
    ['the signature of another body', (body) => ({ 'x-request-sign': signed(`${body} `) })],
    ['the signature of another token', (body) => ({ 'x-request-sign': signed(body, 'another token') })],
  ])('with %s is denied and becomes a significant event', async (_, headers) => {
    const body = JSON.stringify(launch);
    const denied = { code: 'permission_denied', meta: { api_code: '403' } };
    await expectSignatureRefused(server, () => send('Launcher/Real', body, headers(body)), {
      status: 403,
      body: denied,
    });
  });
});

describe('whatever comes', () => {
  /** Replaces one member of a good content, at any depth, by any value. */
  const mutated = (good: object) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(good), 'account.id', 'account.currency', 'urls.return_url'), fc.jsonValue())
      .map(([name, value]) => {
        const [first = '', second] = name.split('.');
        const members = good as Record<string, object>;
        return { ...members, [first]: second === undefined ? value : { ...members[first], [second]: value } };
      });
  const headers = fc.dictionary(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.stringMatching(/^[!-~]{0,40}$/));

  for (const [rpc, good] of Object.entries(GOOD)) {
    const bodies = fc.oneof(
      mutated(good).map((content) => JSON.stringify(content)),
      fc.json(),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }),
    );
    itSurvives(server, rpc, {
      sent: fc.tuple(bodies, headers, fc.boolean()),
      async send([body, more, isSigned]) {
        const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
        const response = await send(rpc, bytes, { ...more, ...(isSigned && { 'x-request-sign': signed(bytes) }) });
        const error = { code: expect.any(String), msg: expect.any(String), meta: { api_code: expect.any(String) } };
        if (response.status !== 200) expect(response.body).toMatchObject(error);
        return response;
      },
      runs: 120,
    });
  }
});
