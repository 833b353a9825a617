import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { toMicros } from '@roundhouse/contract';
import type { WalletApiResponse } from '../aggregator.ts';
import type { Simulator } from '../simulatorApi.ts';
import { SupplierRefusal } from '../supplier.ts';
import {
  FREE_ROUNDS,
  hrefOf,
  type LobbyGame,
  type LobbyView,
  livePart,
  lobbyPage,
  microsText,
  refusalPage,
  type Seat,
} from './page.ts';
import { SCRIPT, STYLES } from './styles.ts';

export type LobbyOptions = {
  /** An aggregator that can request its games shows those instead. */
  games: readonly LobbyGame[];
  /** Players choose one of them. The first players have the first ones. */
  currencies: readonly string[];
};

export type Lobby = {
  /** undefined: the lobby has no such page. */
  respond(
    req: IncomingMessage,
    readBody: (req: IncomingMessage) => Promise<Buffer>,
  ): Promise<WalletApiResponse | undefined>;
};

const FIRST_PLAYERS = ['ann', 'bob', 'eve'];
const GRANT_MS = 24 * 60 * 60 * 1000;
/** Some servers respond to the request for games once a minute. */
const GAMES_MS = 60_000;

/**
 * Serves the page for people. Forms work without the script, which only keeps the page up to date.
 */
export function createLobby(simulator: Simulator, { games, currencies }: LobbyOptions): Lobby {
  const firstSeats = FIRST_PLAYERS.slice(0, currencies.length).map((player, place) => ({
    player,
    currency: currencies[place] as string,
  }));
  for (const seat of firstSeats) simulator.openAccount(seat);
  let notice: LobbyView['notice'];
  const gamesNow = lasting(GAMES_MS, () => supplierGames(simulator, games));

  const view = async (query: URLSearchParams): Promise<LobbyView> => {
    const seat = { player: query.get('player') ?? '', currency: query.get('currency') ?? '' };
    const isOpen = simulator.world.books.isOpen(seat.player, seat.currency);
    const shown = await gamesNow().catch((error: Error) => {
      notice = { text: `The server does not list its games: ${error.message}`, isBad: true };
      return games;
    });
    const now: LobbyView = {
      simulator,
      seat: isOpen ? seat : (firstSeats[0] as Seat),
      currencies,
      games: shown,
      notice,
    };
    return now;
  };

  /** Runs the action of a form, and goes back to the page, which shows how it went. */
  const act = async (seat: Seat, work: () => Promise<string | undefined>): Promise<WalletApiResponse> => {
    try {
      const text = await work();
      notice = text === undefined ? undefined : { text, isBad: false };
    } catch (error) {
      notice = { text: (error as Error).message, isBad: true };
    }
    return redirect(hrefOf(seat));
  };

  const posts: Readonly<Record<string, (fields: Fields) => Promise<WalletApiResponse>>> = {
    '/lobby/launch': async ({ player, currency, gameID, device }) => {
      try {
        return redirect(await simulator.launch({ player, currency, gameID, device }));
      } catch (error) {
        return page(refusalPage((error as Error).message), error instanceof SupplierRefusal ? 502 : 400);
      }
    },
    '/lobby/free-rounds': ({ player, currency, gameID }) =>
      act({ player, currency }, async () => {
        const bets = games.find((game) => game.gameID === gameID)?.bets[currency];
        if (bets === undefined) throw new Error(`${gameID} has no bet in ${currency}`);
        const bet = toMicros(bets.bet);
        const grant = { id: randomUUID(), rounds: FREE_ROUNDS, endsAt: new Date(Date.now() + GRANT_MS) };
        const betLevels = bets.levels.map(toMicros);
        await simulator.giveFreeRounds({ ...grant, player, currency, gameID, bet, betLevels });
        return `${player} has ${FREE_ROUNDS} free rounds of ${microsText(bet, currency)} in ${gameID}. Play it.`;
      }),
    '/lobby/players': ({ player, currency }) =>
      act({ player, currency }, async () => {
        if (!currencies.includes(currency)) throw new Error(`there is no currency ${currency}`);
        simulator.openAccount({ player, currency });
        return undefined;
      }),
  };

  return {
    async respond(req, readBody) {
      const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
      if (req.method === 'POST') return posts[pathname]?.(fieldsOf(String(await readBody(req)), req));
      if (pathname === '/lobby.css') return { status: 200, headers: { 'Content-Type': 'text/css' }, body: STYLES };
      if (pathname === '/lobby.js')
        return { status: 200, headers: { 'Content-Type': 'text/javascript' }, body: SCRIPT };
      if (pathname === '/live') return page(livePart(await view(searchParams)));
      if (pathname !== '/') return undefined;
      const shown = page(lobbyPage(await view(searchParams)));
      notice = undefined;
      return shown;
    },
  };
}

type Fields = Seat & { gameID: string; device: 'desktop' | 'mobile' };

function fieldsOf(body: string, { headers }: IncomingMessage): Fields {
  const form = new URLSearchParams(body);
  const field = (name: string) => form.get(name)?.trim() ?? '';
  const device = /Mobi/.test(headers['user-agent'] ?? '') ? 'mobile' : 'desktop';
  return { player: field('player'), currency: field('currency'), gameID: field('gameID'), device };
}

async function supplierGames({ aggregator, world }: Simulator, known: readonly LobbyGame[]): Promise<LobbyGame[]> {
  const listed = (await aggregator.games?.(world)) ?? known;
  return listed.map(({ gameID, title }) => {
    const bets = known.find((game) => game.gameID === gameID)?.bets ?? {};
    return { gameID, title, bets };
  });
}

/** Keeps a value for a time. A failure is not kept. */
function lasting<Value>(ms: number, make: () => Promise<Value>): () => Promise<Value> {
  let made: { value: Promise<Value>; until: number } | undefined;
  return () => {
    if (made === undefined || made.until < Date.now()) {
      const value = make();
      made = { value, until: Date.now() + ms };
      value.catch(() => {
        made = undefined;
      });
    }
    return made.value;
  };
}

const SECURITY = {
  // A form leads to the game on another origin, so form-action is left out.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

function page(body: string, status = 200): WalletApiResponse {
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...SECURITY }, body };
}

function redirect(location: string): WalletApiResponse {
  return { status: 303, headers: { Location: location }, body: '' };
}
