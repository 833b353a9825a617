import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGrants, type Grants } from '../src/grants.ts';
import { type Client, createClient } from '../src/index.ts';
import { createGrantServer, type GrantServer, grantOf } from './support/grantServer.ts';
import { SCRIPTED_URL } from './support/scriptedServer.ts';

type Game = { server: GrantServer; client: Client; grants: Grants };

const storage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
};

/** Opens a page, which has authenticated. */
async function open(server: GrantServer, kept = storage()): Promise<Game> {
  const options = { url: SCRIPTED_URL, fetch: server.fetch, storage: kept, maxRetries: 0, balanceRefreshMs: 0 };
  const client = createClient(options);
  const grants = createGrants(client, { storage: kept });
  await client.authenticate();
  return { server, client, grants };
}

/** Plays a free round to its end, and waits until the grants are read again. */
async function playRound({ client, grants }: Game, grantID: string): Promise<void> {
  await grants.play({ grantID });
  if (client.state.activeRound) await client.endRound();
  await grants.refresh();
}

const shown = ({ grants }: Pick<Game, 'grants'>) => {
  const { current, offer, later, ended } = grants.state;
  return {
    current: current?.grantID,
    offer: offer?.grantID,
    later: later.map(({ grantID }) => grantID),
    ended: ended && [ended.grantID, ended.state],
  };
};
const NOTHING = { current: undefined, offer: undefined, later: [], ended: undefined };

/** The fake timers go on while it waits. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 100_000 });

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the grants of authenticate', () => {
  it('are an empty list for a player without any, and nothing more is sent', async () => {
    const game = await open(createGrantServer());
    expect(shown(game)).toEqual(NOTHING);
    expect(game.client.state.grants).toEqual([]);
    expect(game.server.requests).toHaveLength(1);
  });

  it.each([
    ['offered: the oldest is offered', [grantOf('a'), grantOf('b')], { offer: 'a' }],
    ['accepted: it comes before an offer', [grantOf('a'), grantOf('b', { state: 'accepted' })], { current: 'b' }],
    ['automatic: nothing is asked', [grantOf('a', { automatic: true })], { current: 'a' }],
  ])('%s', async (_, grants, expected) => {
    const game = await open(createGrantServer(...grants));
    expect(shown(game)).toEqual({ ...NOTHING, ...expected });
  });
});

describe('a free round', () => {
  it('has the amount and the mode of its grant, and costs the player nothing', async () => {
    const game = await open(createGrantServer(grantOf('a')));
    await game.grants.play({ grantID: 'a' });
    expect(game.server.opened).toEqual([{ sessionID: 's', amount: 5, mode: 'BASE', grantID: 'a' }]);
    expect(game.client.state).toMatchObject({ activeRound: { grantID: 'a' }, netPositionMicros: 0 });
    await game.client.endRound();
    expect(game.client.state.netPositionMicros).toBe(2);
  });

  it('counts at once, and what it has won when it is completed', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' })));
    await game.grants.play({ grantID: 'a' });
    expect(game.grants.state.current).toMatchObject({ used: 1, left: 2, won: 0 });
    expect(game.server.count('/bet/grants')).toBe(0);
    await game.client.endRound();
    await eventually(() => expect(game.grants.state.current).toMatchObject({ used: 1, left: 2, won: 2 }));
    expect(game.server.count('/bet/grants')).toBe(1);
  });

  it('is completed although the grants cannot be read: the next one tells the truth', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' })));
    game.server.fail('/bet/grants', 'lost-request');
    await game.grants.play({ grantID: 'a' });
    await game.client.endRound();
    expect(game.client.state).toMatchObject({ activeRound: undefined, canPlay: true, needsAuthenticate: false });
    expect(game.grants.state.current).toMatchObject({ used: 1, left: 2, won: 0 });
    await playRound(game, 'a');
    expect(game.grants.state.current).toMatchObject({ used: 2, left: 1, won: 4 });
  });

  it('that the server completes at once is read again as well', async () => {
    const game = await open(Object.assign(createGrantServer(grantOf('a')), { isActive: false }));
    await game.grants.play({ grantID: 'a' });
    await eventually(() => expect(game.grants.state.current).toMatchObject({ used: 1, left: 2, won: 2 }));
  });

  it('of an automatic grant that was given meanwhile makes it the current one', async () => {
    const game = await open(createGrantServer());
    game.server.grants = [grantOf('a', { automatic: true })];
    await game.client.play({ amount: 5, mode: 'BASE' });
    await game.client.endRound();
    await eventually(() => expect(game.grants.state.current).toMatchObject({ grantID: 'a', used: 1 }));
  });

  it('of an unknown grant is not sent', async () => {
    const game = await open(createGrantServer());
    await expect(game.grants.play({ grantID: 'x' })).rejects.toMatchObject({ kind: 'bad-request', code: undefined });
    expect(game.server.count('/wallet/play')).toBe(0);
  });
});

describe('a free round whose response was lost', () => {
  it.each(['lost-request', 'lost-response'] as const)('(%s) is one round, under one key', async (fault) => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' })));
    game.server.fail('/wallet/play', fault);
    await expect(game.grants.play({ grantID: 'a' })).rejects.toMatchObject({ kind: 'no-network' });
    await playRound(game, 'a');
    const sent = game.server.requests.filter(({ path }) => path === '/wallet/play');
    expect(new Set(sent.map(({ key, body }) => JSON.stringify([key, body.grantID])))).toHaveProperty('size', 1);
    expect(game.server.opened).toHaveLength(1);
    expect(game.grants.state.current).toMatchObject({ used: 1, left: 2, won: 2 });
  });

  it('is resumed after a reload, and belongs to its grant', async () => {
    const kept = storage();
    const before = await open(createGrantServer(grantOf('a')), kept);
    before.server.fail('/wallet/play', 'lost-response');
    await before.grants.play({ grantID: 'a' }).catch(() => undefined);
    before.client.close();
    const game = await open(before.server, kept);
    expect(game.client.state.activeRound).toMatchObject({ grantID: 'a' });
    expect(game.grants.state.current).toMatchObject({ grantID: 'a', used: 1, left: 2 });
    await game.client.endRound();
    await playRound(game, 'a');
    expect(game.server.opened).toHaveLength(2);
    expect(new Set(game.server.requests.flatMap(({ key }) => key ?? []))).toHaveProperty('size', 2);
  });

  it('is not a paid bet of the same amount: that one is not taken for it', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' })));
    game.server.fail('/wallet/play', 'lost-request');
    await game.client.play({ amount: 5, mode: 'BASE' }).catch(() => undefined);
    game.server.fail('/wallet/play', 'lost-response');
    await game.grants.play({ grantID: 'a' }).catch(() => undefined);
    await game.client.authenticate();
    expect(game.client.state.activeRound).toMatchObject({ grantID: 'a' });
    expect(game.server.opened).toHaveLength(1);
  });
});

describe('a decision', () => {
  it('to accept makes the offer current', async () => {
    const game = await open(createGrantServer(grantOf('a')));
    await game.grants.accept('a');
    expect(game.server.requests.at(-1)?.body).toEqual({ sessionID: 's', grantID: 'a', decision: 'accept' });
    expect(shown(game)).toEqual({ ...NOTHING, current: 'a' });
  });

  it('to decline leads to the next offer, without news of an end', async () => {
    const game = await open(createGrantServer(grantOf('a'), grantOf('b')));
    await game.grants.decline('a');
    expect(shown(game)).toEqual({ ...NOTHING, offer: 'b' });
  });

  it('for later sends nothing, holds over a reload, and ends when it is accepted', async () => {
    const kept = storage();
    const before = await open(createGrantServer(grantOf('a'), grantOf('b')), kept);
    before.grants.later('a');
    expect(shown(before)).toEqual({ ...NOTHING, offer: 'b', later: ['a'] });
    expect(before.server.count('/bet/grants')).toBe(0);
    const game = await open(before.server, kept);
    expect(shown(game)).toEqual({ ...NOTHING, offer: 'b', later: ['a'] });
    await game.grants.accept('a');
    expect(shown(game)).toEqual({ ...NOTHING, current: 'a' });
  });

  it('about a grant that has ended is refused, and the state says how it has ended', async () => {
    const game = await open(createGrantServer(grantOf('a')));
    game.server.change('a', { state: 'cancelled', left: 0 });
    await expect(game.grants.accept('a')).rejects.toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
    expect(shown(game)).toEqual({ ...NOTHING, ended: ['a', 'cancelled'] });
  });

  it('whose response is lost can be repeated', async () => {
    const game = await open(createGrantServer(grantOf('a')));
    game.server.fail('/bet/grants', 'lost-response');
    await expect(game.grants.accept('a')).rejects.toMatchObject({ kind: 'no-network' });
    await game.grants.accept('a');
    expect(shown(game)).toEqual({ ...NOTHING, current: 'a' });
  });
});

describe('the end of a grant', () => {
  it('is shown with its sums until it is acknowledged; then comes the next grant', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' }), grantOf('b')));
    for (let round = 0; round < 3; round += 1) await playRound(game, 'a');
    expect(game.grants.state.ended).toMatchObject({ state: 'finished', given: 3, used: 3, left: 0, won: 6 });
    expect(shown(game)).toMatchObject({ current: undefined, offer: 'b' });
    game.grants.acknowledge();
    expect(shown(game)).toEqual({ ...NOTHING, offer: 'b' });
  });

  it.each([false, true])('reads the balance when the wins are paid then (paidAtEnd: %s)', async (paidAtEnd) => {
    const game = await open(createGrantServer(grantOf('a', { left: 1, paidAtEnd })));
    await playRound(game, 'a');
    expect(game.server.count('/wallet/balance')).toBe(paidAtEnd ? 1 : 0);
  });

  it('is read when the grant expires, also when the clock of the server is late', async () => {
    const game = await open(createGrantServer(grantOf('a', { expiresAt: '2026-01-01T00:01:00.000Z' })));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown(game)).toEqual({ ...NOTHING, offer: 'a' });
    game.server.change('a', { state: 'expired', left: 0 });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(shown(game)).toEqual({ ...NOTHING, ended: ['a', 'expired'] });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(game.server.count('/bet/grants')).toBe(2);
  });

  it('is found when the server refuses a round: nothing else is played', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted', used: 1, left: 2 })));
    game.server.change('a', { state: 'expired', left: 0 });
    await expect(game.grants.play({ grantID: 'a' })).rejects.toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
    expect(shown(game)).toEqual({ ...NOTHING, ended: ['a', 'expired'] });
    expect(game.server.opened).toEqual([]);
  });

  it('is found by authenticate, which shows open grants only', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' })));
    game.server.change('a', { state: 'cancelled', left: 0 });
    await game.client.authenticate();
    await eventually(() => expect(shown(game)).toEqual({ ...NOTHING, ended: ['a', 'cancelled'] }));
  });

  it('comes after its open round, which is finished and paid', async () => {
    const game = await open(createGrantServer(grantOf('a', { state: 'accepted' })));
    await game.grants.play({ grantID: 'a' });
    game.server.change('a', { state: 'expired', left: 0 });
    const resumed = await open(game.server);
    await eventually(() => expect(resumed.server.count('/bet/grants')).toBe(1));
    expect(shown(resumed)).toEqual(NOTHING);
    await resumed.client.endRound();
    await eventually(() => expect(resumed.grants.state.ended).toMatchObject({ state: 'expired', used: 1, won: 2 }));
  });

  it('is silent when the server does not know the grant any more', async () => {
    const game = await open(createGrantServer(grantOf('a')));
    game.server.grants = [];
    await expect(game.grants.refresh()).rejects.toMatchObject({ code: 'ERR_VAL' });
    await game.grants.refresh();
    expect(shown(game)).toEqual(NOTHING);
  });
});

it('tells its listeners until they leave, and nothing after it is closed', async () => {
  const game = await open(createGrantServer(grantOf('a'), grantOf('b')));
  const seen: unknown[] = [];
  const leave = game.grants.subscribe(({ offer }) => seen.push(offer?.grantID));
  game.grants.later('a');
  leave();
  game.grants.later('b');
  expect(seen).toEqual(['b']);
  game.grants.close();
  await game.client.authenticate();
  expect(shown(game)).toEqual({ ...NOTHING, later: ['a', 'b'] });
});
