import { DEFAULT_JURISDICTION } from '@roundhouse/contract/light';
import { expect, it } from 'vitest';
import type { KeyStorage } from '../src/client/clientTypes.ts';
import { createClient } from '../src/client/createClient.ts';
import { funMode } from '../src/fun.ts';

const UNIT = 1_000_000;
const url = 'https://games.example.com/lines/1.0.0/index.html?demo=true&rgs_url=rgs.example.com&currency=EUR';
const config = {
  gameID: 'lines',
  ...{ minBet: UNIT, maxBet: 10_000 * UNIT, stepBet: UNIT, defaultBetLevel: UNIT, betLevels: [] },
  betModes: { base: { mode: 'base', costMultiplier: 1.25, feature: false } },
  jurisdiction: DEFAULT_JURISDICTION,
};

function memory(): KeyStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

/** Opens a client whose server draws rounds that pay `payout`, and the requests that it gets. */
function open({ storage = memory(), payout = 0 }: { storage?: KeyStorage; payout?: number } = {}) {
  const requests: { path: string; body: object }[] = [];
  /** These paths are under maintenance. */
  const stopped = new Set<string>();
  const send = async (input: RequestInfo | URL, init?: RequestInit) => {
    const path = new URL(String(input)).pathname;
    const body = JSON.parse(String(init?.body));
    requests.push({ path, body });
    if (stopped.has(path)) return new Response('{"error":"ERR_MAINTENANCE","message":"planned"}', { status: 500 });
    const multipliers = { payoutMultiplier: 0, costMultiplier: 1.25 };
    const round = { betID: 0, amount: body.amount, payout, ...multipliers, active: true, mode: 'BASE', event: null };
    const response = path === '/demo/config' ? { config, currency: 'EUR' } : { round: { ...round, state: [{ a: 1 }] } };
    return new Response(JSON.stringify(response));
  };
  const client = createClient({ url, funMode, storage, fetch: send, balanceRefreshMs: 0 });
  return { client, requests, stopped, storage };
}

it('a client without fun mode refuses a launch URL without a session', () => {
  const refused = expect.objectContaining({ kind: 'launch-url', issue: 'missing-session' });
  expect(() => createClient({ url })).toThrow(refused);
});

it('plays without a session: the page keeps the money, the server only draws', async () => {
  const { client, requests } = open({ payout: 3_333_333 });
  expect(client.launch).toMatchObject({
    kind: 'play',
    sessionID: '',
    demo: true,
    gameID: 'lines',
    gameVersion: '1.0.0',
  });
  const { balance } = await client.authenticate();
  expect(balance).toEqual({ amount: 1_000 * UNIT, currency: 'EUR' });

  const played = await client.play({ amount: 3 * UNIT, mode: 'base' });
  expect(played.balance.amount).toBe(1_000 * UNIT - 3_750_000);
  expect(played.round).toMatchObject({ betID: 1, active: true });
  expect(await client.event('picked:1')).toEqual({ event: 'picked:1' });
  expect((await client.endRound()).balance.amount).toBe(1_000 * UNIT - 3_750_000 + 3_333_333);
  expect(client.state.activeRound).toBeUndefined();
  const game = { game: 'lines', version: '1.0.0', currency: 'EUR' };
  expect(requests).toEqual([
    { path: '/demo/config', body: game },
    { path: '/demo/play', body: { ...game, amount: 3 * UNIT, mode: 'base' } },
  ]);
});

it('a reload resumes balance, round and event, and pays the round once', async () => {
  const { client, storage } = open({ payout: 2 * UNIT });
  await client.authenticate();
  await client.play({ amount: UNIT, mode: 'BASE' });
  await client.event('picked:1');
  client.close();

  const { client: again } = open({ storage });
  const { balance, round } = await again.authenticate();
  expect(balance.amount).toBe(1_000 * UNIT - 1_250_000);
  expect(round).toMatchObject({ betID: 1, active: true, event: 'picked:1', payout: 2 * UNIT, state: [{ a: 1 }] });
  await again.endRound();
  expect((await again.endRound()).balance.amount).toBe(1_000 * UNIT - 1_250_000 + 2 * UNIT);
});

it('a bet above the play money is ERR_IPB, and nothing is drawn', async () => {
  const { client, requests } = open();
  await client.authenticate();
  await expect(client.play({ amount: 801 * UNIT, mode: 'BASE' })).rejects.toMatchObject({
    kind: 'insufficient-funds',
    code: 'ERR_IPB',
  });
  expect(requests).toHaveLength(1);
  expect(client.state.balance?.amount).toBe(1_000 * UNIT);
});

it('who has nothing left begins with the opening balance at the next load', async () => {
  const { client, storage } = open();
  await client.authenticate();
  await client.play({ amount: 800 * UNIT, mode: 'BASE' });
  expect((await client.endRound()).balance.amount).toBe(0);
  expect((await open({ storage }).client.authenticate()).balance.amount).toBe(0 + 1_000 * UNIT);
});

it('hands maintenance to the game, sends one request, and the play money is that of before', async () => {
  const { client, requests, stopped } = open({ payout: UNIT });
  const maintenance = { kind: 'maintenance', code: 'ERR_MAINTENANCE', status: 500, message: 'planned' };
  stopped.add('/demo/config');
  await expect(client.authenticate()).rejects.toMatchObject(maintenance);
  stopped.clear();
  await client.authenticate();
  stopped.add('/demo/play');
  await expect(client.play({ amount: UNIT, mode: 'BASE' })).rejects.toMatchObject(maintenance);
  expect(requests).toHaveLength(3);
  expect(client.state).toMatchObject({ balance: { amount: 1_000 * UNIT } });
  expect(client.state.activeRound).toBeUndefined();
  stopped.clear();
  expect((await client.play({ amount: UNIT, mode: 'BASE' })).round.betID).toBe(1);
});
