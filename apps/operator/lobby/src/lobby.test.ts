import type { FaultPlan } from '@roundhouse/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeptValues } from './account/account.ts';
import type { Api, LaunchRequest, LobbyFacts, LobbyGame, PlayerAccount, Result, Wire } from './api.ts';
import { createLobbyModel, type LobbyModel } from './lobby.ts';

const game: LobbyGame = {
  gameID: 'sample',
  version: '1',
  title: 'Sample',
  currencies: ['USD', 'EUR'],
  modes: ['BASE'],
  hasFrontend: true,
};
const facts: LobbyFacts = {
  operator: { name: 'Operator', code: 'operator' },
  games: [game],
  currencies: ['USD', 'EUR'],
  languages: ['en'],
  bench: true,
  rgsUrl: 'http://127.0.0.1:1',
};

const kept = new Map<string, unknown>();
const keptValues: KeptValues = { read: (name) => kept.get(name), write: (name, value) => void kept.set(name, value) };
let launches: LaunchRequest[];
let plans: Record<Wire, FaultPlan>;
let enter: Api['enter'];
let lobby: LobbyModel;

const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value });

beforeEach(() => {
  kept.clear();
  launches = [];
  plans = { game: { faults: [] }, wallet: { faults: [], seed: 7 } };
  enter = async ({ playerID = 'new-player' }) => ok({ playerID, balances: [] });
  const api: Api = {
    lobby: async () => ok(facts),
    enter: (player) => enter(player),
    launch: async (request) => {
      launches.push(request);
      return ok({ sessionID: `session-${launches.length}`, url: 'http://127.0.0.1:1/' });
    },
    statement: async ({ currency }) => ok({ currency, balance: 0, entries: [] }),
    setBalance: async ({ amount }) => ok({ balance: amount }),
    force: async ({ mode = 'BASE' }) => ok({ bookID: 1, mode }),
    faults: async (wire) => ok(plans[wire]),
    setFaults: async (wire, plan) => {
      plans[wire] = plan;
      return ok(plan);
    },
    clearFaults: async (wire) => {
      plans[wire] = { faults: [] };
      return ok(undefined);
    },
  };
  const openStream = () => Object.assign(new EventTarget(), { readyState: 0, close: () => {} }) as never;
  lobby = createLobbyModel({ api, kept: keptValues, openStream });
});

describe('the account', () => {
  it('is a new player at the first visit, and the same one at the next', async () => {
    await lobby.start();
    expect(lobby.account.playerID.value).toBe('new-player');
    await lobby.account.changePlayer('player-7');
    await lobby.account.changeCurrency('EUR');
    await lobby.start();
    expect(lobby.account.feed.value?.account).toEqual({ playerID: 'player-7', currency: 'EUR' });
  });

  it('stays as it is when another cannot be had', async () => {
    await lobby.start();
    enter = async () => ({ ok: false, failure: { kind: 'unreachable' } });
    expect(await lobby.account.changePlayer('player-7')).toBe(false);
    expect(lobby.account.playerID.value).toBe('new-player');
    expect(lobby.account.failure.value).toEqual({ kind: 'unreachable' });
  });

  it('is the last one asked for, whichever answers first', async () => {
    await lobby.start();
    const answers: ((account: Result<PlayerAccount>) => void)[] = [];
    enter = () => new Promise((resolve) => answers.push(resolve));
    const slow = lobby.account.changePlayer('slow');
    const quick = lobby.account.changePlayer('quick');
    answers[1]?.(ok({ playerID: 'quick', balances: [] }));
    answers[0]?.(ok({ playerID: 'slow', balances: [] }));
    expect(await Promise.all([slow, quick])).toEqual([false, true]);
    expect(lobby.account.playerID.value).toBe('quick');
  });
});

describe('the table', () => {
  it('says when the open game was opened with other choices, and opens it anew', async () => {
    await lobby.start();
    await lobby.launcher.openGame(game);
    expect(lobby.launcher.isOutdated.value).toBe(false);
    lobby.launcher.choose({ language: 'fi' });
    expect(lobby.launcher.isOutdated.value).toBe(true);
    await lobby.launcher.restart();
    expect(lobby.launcher.isOutdated.value).toBe(false);
    expect(launches.map(({ lang }) => lang)).toEqual(['en', 'fi']);
    expect(lobby.launcher.open.value?.session.sessionID).toBe('session-2');
  });

  it('loads the page again in the same session', async () => {
    await lobby.start();
    await lobby.launcher.openGame(game);
    const load = lobby.launcher.open.value?.load ?? 0;
    lobby.launcher.reload();
    expect(lobby.launcher.open.value).toMatchObject({ load: load + 1, session: { sessionID: 'session-1' } });
    expect(launches).toHaveLength(1);
  });

  it('opens nothing with a country that is none', async () => {
    await lobby.start();
    lobby.launcher.choose({ country: 'F' });
    await lobby.launcher.openGame(game);
    expect(lobby.launcher.canOpen.value).toBe(false);
    expect(launches).toEqual([]);
  });
});

describe('the bench', () => {
  it('changes the plan as it is now, not as it was shown', async () => {
    plans.wallet = { seed: 7, faults: [{ kind: 'lost_request', next: 5 }] };
    await lobby.bench.refresh();
    plans.wallet = { seed: 7, faults: [{ kind: 'lost_request', next: 2 }] };
    await lobby.bench.addFault('wallet', { kind: 'malformed_response', share: 0.5 });
    const faults = [
      { kind: 'lost_request', next: 2 },
      { kind: 'malformed_response', share: 0.5 },
    ];
    expect(plans.wallet).toEqual({ seed: 7, faults });
    expect(lobby.bench.activeFaults.value).toBe(2);
    await lobby.bench.removeFault('wallet', { place: 0, fault: { kind: 'lost_request', next: 5 } });
    expect(plans.wallet).toEqual({ seed: 7, faults: [{ kind: 'malformed_response', share: 0.5 }] });
    expect(lobby.bench.message.value).toEqual({ kind: 'fault-removed', wire: 'wallet' });
  });

  it('switches both wires off', async () => {
    await lobby.bench.addFault('wallet', { kind: 'lost_request', next: 1 });
    await lobby.bench.addFault('game', { kind: 'lost_request', next: 1 });
    expect(lobby.bench.activeFaults.value).toBe(2);
    await lobby.bench.clearFaults();
    expect(lobby.bench.activeFaults.value).toBe(0);
    expect(lobby.bench.message.value).toEqual({ kind: 'all-off' });
  });

  it('forces outcomes of the open session only', async () => {
    await lobby.start();
    await lobby.bench.force('BASE', { kind: 'big' });
    expect(lobby.bench.message.value).toBeUndefined();
    await lobby.launcher.openGame(game);
    await lobby.bench.force('BASE', { kind: 'big' });
    expect(lobby.bench.message.value).toEqual({ kind: 'forced', mode: 'BASE', bookID: 1 });
  });
});
