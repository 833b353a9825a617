import type { Fault, FaultPlan } from '@roundhouse/contract';
import type { CurrencyCode } from '@roundhouse/contract/light';
import { beforeEach, describe, expect, it } from 'vitest';
import type { KeptValues } from './account/account.ts';
import type { Api, FreeRoundsRequest, LaunchRequest, LobbyFacts, PlayerAccount, Result, Wire } from './api.ts';
import { offerOf } from './bench/offer.ts';
import { frameUrlOf } from './games/launcher.ts';
import { createLobbyModel, type LobbyModel } from './lobby.ts';

const currencies: CurrencyCode[] = ['USD', 'EUR'];
const game = {
  ...{ gameID: 'sample', version: '1', title: 'Sample', currencies, modes: ['BASE'] },
  ...{ statistics: [], bets: {}, draws: 'certified' as const, hasFrontend: true },
};
const facts: LobbyFacts = {
  operator: { name: 'Operator', code: 'operator' },
  games: [game],
  currencies,
  configuredCurrencies: [],
  languages: ['en'],
  bench: true,
  beingBuilt: [],
  rgsUrl: 'http://127.0.0.1:1',
};

const kept = new Map<string, unknown>();
const keptValues: KeptValues = { read: (name) => kept.get(name), write: (name, value) => void kept.set(name, value) };
let launches: LaunchRequest[];
let given: FreeRoundsRequest[];
let plans: Record<Wire, FaultPlan>;
let enter: Api['enter'];
let readFacts: Api['lobby'];
let lobby: LobbyModel;
/** How often the game got the keyboard. */
let focused: number;

const MARK = { id: 'end-round-closed', path: '/wallet/end-round', theirs: '400', times: 2 };

const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value });

beforeEach(() => {
  kept.clear();
  launches = [];
  given = [];
  plans = { game: { faults: [] }, wallet: { faults: [], seed: 7 } };
  readFacts = async () => ok(facts);
  enter = async ({ playerID = 'new-player' }) => ok({ playerID, balances: [] });
  const api: Api = {
    lobby: () => readFacts(),
    enter: (player) => enter(player),
    launch: async (request) => {
      launches.push(request);
      return ok({ sessionID: `session-${launches.length}`, url: 'http://127.0.0.1:1/' });
    },
    statement: async ({ currency }) => ok({ currency, balance: 0, entries: [] }),
    deposit: async ({ amount }) => ok({ balance: amount }),
    setBalance: async ({ amount }) => ok({ balance: amount }),
    giveFreeRounds: async (request) => {
      given.push(request);
      return ok({ given: 5 });
    },
    force: async ({ mode = 'BASE' }) => ok({ bookID: 1, mode }),
    books: async () => ok({ books: [], next: null, bookCount: 0, eventTypes: [] }),
    parity: async (sessionID) => ok({ isStrict: false, marks: sessionID === 'session-1' ? [MARK] : [] }),
    https: async () => ok({ url: 'https://127.0.0.1:1', refusals: 0 }),
    faults: async (wire) => ok(plans[wire]),
    setFaults: async (wire, plan) => ok(Object.assign(plans, { [wire]: plan })[wire]),
    clearFaults: async (wire) => ok(void Object.assign(plans, { [wire]: { faults: [] } })),
  };
  const openStream = () => Object.assign(new EventTarget(), { readyState: 0, close: () => {} }) as never;
  focused = 0;
  const focusGame = () => {
    focused += 1;
  };
  const page = { kept: keptValues, openStream, probe: async () => true, focusGame, device: 'desktop' as const };
  lobby = createLobbyModel({ api, ...page });
});

describe('a game that is being built', () => {
  const building = { ...facts, games: [], beingBuilt: [{ title: 'Sample', text: 'being built, 20 s' }] };

  it('is shown with the rest of its time, and can be opened once it is there', async () => {
    readFacts = async () => ok(building);
    await lobby.start();
    expect(lobby.state.value).toEqual({ kind: 'ready', facts: building });
    readFacts = async () => ({ ok: false, failure: { kind: 'unreachable' } });
    await lobby.refreshGames();
    expect(lobby.state.value).toEqual({ kind: 'ready', facts: building });
    readFacts = async () => ok(facts);
    await lobby.refreshGames();
    expect(lobby.state.value).toEqual({ kind: 'ready', facts });
  });

  it('makes the page read the games again, which no other does', async () => {
    await lobby.start();
    readFacts = async () => ok(building);
    await lobby.refreshGames();
    expect(lobby.state.value).toEqual({ kind: 'ready', facts });
  });
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

  it('stays as it is when the change fails', async () => {
    await lobby.start();
    enter = async () => ({ ok: false, failure: { kind: 'unreachable' } });
    expect(await lobby.account.changePlayer('player-7')).toBe(false);
    expect(lobby.account.playerID.value).toBe('new-player');
    expect(lobby.account.failure.value).toEqual({ kind: 'unreachable' });
  });

  it('is that of the last request, whichever response comes first', async () => {
    await lobby.start();
    const responses: ((account: Result<PlayerAccount>) => void)[] = [];
    enter = () => new Promise((resolve) => responses.push(resolve));
    const changes = ['slow', 'quick'].map((name) => lobby.account.changePlayer(name));
    responses[1]?.(ok({ playerID: 'quick', balances: [] }));
    responses[0]?.(ok({ playerID: 'slow', balances: [] }));
    expect(await Promise.all(changes)).toEqual([false, true]);
    expect(lobby.account.playerID.value).toBe('quick');
  });
});

describe('the launcher', () => {
  beforeEach(() => lobby.start());

  it('shows that the choices have changed since the launch, and launches again', async () => {
    const { launcher } = lobby;
    await launcher.openGame(game);
    expect(launcher.isOutdated.value).toBe(false);
    launcher.choose({ language: 'fi' });
    expect(launcher.isOutdated.value).toBe(true);
    await launcher.restart();
    expect(launcher.isOutdated.value).toBe(false);
    expect(launches.map(({ lang }) => lang)).toEqual(['en', 'fi']);
    expect(launcher.open.value?.session.sessionID).toBe('session-2');
  });

  it('loads the page again in the same session', async () => {
    await lobby.launcher.openGame(game);
    const load = lobby.launcher.open.value?.load ?? 0;
    lobby.launcher.reload();
    expect(lobby.launcher.open.value).toMatchObject({ load: load + 1, session: { sessionID: 'session-1' } });
    expect(launches).toHaveLength(1);
  });

  it('shows a replay of a book in the frame, and the session again after it', async () => {
    const { launcher } = lobby;
    await launcher.openGame(game);
    launcher.replay('BASE', 24);
    const open = launcher.open.value;
    expect(open && frameUrlOf({ ...open, session: { sessionID: 's', url: 'http://a/g/?sessionID=s&lang=de' } })).toBe(
      'http://a/g/?lang=de&replay=true&game=sample&version=1&mode=BASE&event=24',
    );
    launcher.reload();
    expect(launcher.open.value && frameUrlOf(launcher.open.value)).toBe('http://127.0.0.1:1/');
  });

  it('opens the game again behind the cashier to which it led, and not after it was closed', async () => {
    await lobby.launcher.openGame(game);
    await lobby.start('cashier');
    expect([launches.length, lobby.views.shown.value]).toEqual([2, 'cashier']);
    lobby.views.open('lobby');
    await lobby.start('cashier');
    expect([launches.length, lobby.launcher.open.value]).toEqual([2, undefined]);
  });

  it('avoids words and signs of money by choice, by a demand, and in a social currency', async () => {
    const { launcher, account, moneyStyle } = lobby;
    const isSocial = () => moneyStyle.value.isSocial;
    expect(isSocial()).toBe(false);
    launcher.choose({ social: true });
    expect(isSocial()).toBe(true);
    launcher.choose({ social: false, jurisdiction: { ...launcher.choices.value.jurisdiction, socialCasino: true } });
    expect(isSocial()).toBe(true);
    launcher.choose({ jurisdiction: { ...launcher.choices.value.jurisdiction, socialCasino: false } });
    expect(isSocial()).toBe(false);
    await account.changeCurrency('XGC');
    expect(moneyStyle.value).toEqual({ currency: 'XGC', isSocial: true });
  });

  it('can be pressed while the account is being opened, and launches for the player that comes', async () => {
    const responses: ((account: Result<PlayerAccount>) => void)[] = [];
    enter = () => new Promise((resolve) => responses.push(resolve));
    void lobby.account.changePlayer('slow');
    const pressed = lobby.launcher.openGame(game);
    expect([lobby.launcher.canOpen.value, lobby.launcher.opening.value]).toEqual([true, 'sample']);
    void lobby.account.changePlayer('quick');
    responses[0]?.(ok({ playerID: 'slow', balances: [] }));
    responses[1]?.(ok({ playerID: 'quick', balances: [] }));
    await pressed;
    expect([launches.map(({ playerID }) => playerID), lobby.launcher.opening.value]).toEqual([['quick'], undefined]);
  });

  it('opens nothing with an invalid country', async () => {
    lobby.launcher.choose({ country: 'F' });
    await lobby.launcher.openGame(game);
    expect([lobby.launcher.canOpen.value, launches]).toEqual([false, []]);
  });
});

describe('the studio bench', () => {
  const cut = (next: number): Fault => ({ kind: 'lost_request', next });
  const late: Fault = { kind: 'delay', delayMs: 5, share: 0.5 };

  it('changes the plan as it is now, not as it was shown', async () => {
    plans.wallet = { seed: 7, faults: [cut(5)] };
    await lobby.bench.refresh();
    plans.wallet = { seed: 7, faults: [cut(2)] };
    await lobby.bench.addFault('wallet', late);
    expect(plans.wallet).toEqual({ seed: 7, faults: [cut(2), late] });
    expect(lobby.bench.activeFaults.value).toBe(2);
    await lobby.bench.removeFault('wallet', { place: 0, fault: cut(5) });
    expect(plans.wallet).toEqual({ seed: 7, faults: [late] });
    expect(lobby.bench.message.value).toEqual({ kind: 'fault-removed', wire: 'wallet' });
  });

  it("shows what Engine's server refuses of the open game alone", async () => {
    await lobby.start();
    await lobby.bench.refresh();
    expect(lobby.bench.parity.value).toBeUndefined();
    for (const marks of [[MARK], []]) {
      await lobby.launcher.openGame(game);
      await lobby.bench.refresh();
      expect(lobby.bench.parity.value).toEqual({ isStrict: false, marks });
    }
  });

  it('clears the faults of both wires', async () => {
    for (const wire of ['wallet', 'game'] as const) await lobby.bench.addFault(wire, cut(1));
    expect(lobby.bench.activeFaults.value).toBe(2);
    await lobby.bench.clearFaults();
    expect(lobby.bench.activeFaults.value).toBe(0);
    expect(lobby.bench.message.value).toEqual({ kind: 'all-off' });
  });

  it('gives free rounds to the player, and loads the open game again: it reads them when it starts', async () => {
    await lobby.start();
    await lobby.launcher.openGame(game);
    const load = lobby.launcher.open.value?.load ?? 0;
    const terms = { mode: 'BASE', amount: 1_000_000, automatic: false, paidAtEnd: true };
    await lobby.bench.giveFreeRounds({ ...game, gameID: 'another' }, terms);
    expect(lobby.launcher.open.value?.load).toBe(load);
    await lobby.bench.giveFreeRounds(game, terms);
    expect(lobby.launcher.open.value?.load).toBe(load + 1);
    expect(given.at(-1)).toEqual({ ...terms, playerID: 'new-player', currency: 'USD', gameID: 'sample' });
    expect(lobby.bench.message.value).toEqual({ kind: 'free-rounds-given', count: 5, title: 'Sample' });
  });

  it.each([
    ['the default', { defaultBetLevel: 3, betLevels: [1, 3] }, 3],
    ['the lowest level, when the default is not a level', { defaultBetLevel: 3, betLevels: [1, 2] }, 1],
    ['the default, when the game lists no levels', { defaultBetLevel: 3, betLevels: [] }, 3],
  ])('offers free rounds at %s', (_, levels, amount) => {
    const bets = { default: { minBet: 1, maxBet: 9, stepBet: 1, ...levels } };
    expect(offerOf({ ...game, bets }, 'USD')).toEqual({ mode: 'BASE', amount });
  });

  it('forces outcomes of the open session only', async () => {
    await lobby.start();
    await lobby.bench.force('BASE', { kind: 'big' });
    expect(lobby.bench.message.value).toBeUndefined();
    await lobby.launcher.openGame(game);
    await lobby.bench.force('BASE', { kind: 'big' });
    expect(lobby.bench.message.value).toEqual({ kind: 'forced', mode: 'BASE', bookID: 1 });
    expect(focused).toBe(1);
  });
});
