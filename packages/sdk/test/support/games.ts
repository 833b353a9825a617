import { expect } from 'vitest';
import { type AnyRgsError, type Client, type ClientOptions, createClient, isRgsError } from '../../src/index.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import { rgs, type Session } from './rgs.ts';

/** A game in its page has one session, the page's storage, and a network with faults. */
export type Game = {
  session: Session;
  proxy: FaultProxy;
  storage: Map<string, string>;
  client: Client;
  /** The page is loaded again: a new client, the same launch URL and the same storage. */
  reload(): Client;
  /** Opens a second tab on the same session, with its own storage. */
  secondTab(): Client;
};

const closing: (() => unknown)[] = [];

/** setUpFile.ts calls it after each test. */
export async function closeGames(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

type Wish = {
  gameID?: string;
  token?: string;
  setBalance?: number;
  draws?: 'provablyFair';
  options?: Partial<ClientOptions>;
};

export async function openGame({ options = {}, ...wish }: Wish = {}): Promise<Game> {
  const session = await rgs.startSession(wish);
  const proxy = await startFaultProxy(rgs.url);
  closing.push(proxy.close);
  const url = launchUrl(session, proxy.url);
  const storage = new Map<string, string>();
  const open = (kept: Map<string, string>) =>
    openClient({ url, retryDelayMs: 1, balanceRefreshMs: 0, storage: storageOver(kept), ...options });
  const game: Game = {
    session,
    proxy,
    storage,
    client: open(storage),
    reload() {
      game.client.close();
      game.client = open(storage);
      return game.client;
    },
    secondTab: () => open(new Map()),
  };
  return game;
}

/** Opens a client that is closed when the test is over. */
export function openClient(options: ClientOptions): Client {
  const client = createClient(options);
  closing.push(client.close);
  return client;
}

/** Starts a game whose client has authenticated. */
export async function startGame(wish: Wish = {}): Promise<Game> {
  const game = await openGame(wish);
  await game.client.authenticate();
  return game;
}

export function launchUrl({ sessionID, gameID }: Session, rgsUrl: string): string {
  const query = new URLSearchParams({ sessionID, lang: 'en', device: 'desktop', rgs_url: rgsUrl });
  return `https://games.example/${gameID}/1.0.0/index.html?${query}`;
}

function storageOver(kept: Map<string, string>): NonNullable<ClientOptions['storage']> {
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

/** What the client believes is what the server says. */
export async function expectTruth({ client, session }: Pick<Game, 'client' | 'session'>): Promise<void> {
  const { balance, round, activeRound, needsAuthenticate, pending } = client.state;
  expect({ balance, round, activeRound }).toEqual(await rgs.truth(session));
  expect({ needsAuthenticate, pending }).toEqual({ needsAuthenticate: false, pending: undefined });
}

/** Rounds that the server has opened for the requests that went through the proxy, by betID. */
export function openedBetIDs({ requests }: FaultProxy): number[] {
  const played = requests.filter(({ path, response }) => path === '/wallet/play' && response?.status === 200);
  return [...new Set(played.map(({ response }) => response?.body.round.betID as number))];
}

/** Returns the error that a call of the client rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<AnyRgsError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRgsError(error)) throw new Error(`it did not fail with an error of the client: ${String(error)}`);
  return error;
}
