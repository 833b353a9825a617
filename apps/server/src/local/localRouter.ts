import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  DEFAULT_FAULT_SECONDS,
  DEFAULT_TEST_BALANCE,
  DEV_ROUTES,
  devContract,
  ERROR_CODES,
  type ErrorCode,
  type ForceNextRequest,
  GAME_ROUTES,
  type Micros,
  payoutOf,
  toDevice,
  toLanguage,
  toMicros,
} from '@roundhouse/contract';
import { createFaultSwitch, type FaultSwitch } from '@roundhouse/fault-injection';
import type { DrawnBook } from '@roundhouse/math';
import { loggedAs } from '@roundhouse/service';
import express, { Router } from 'express';
import helmet from 'helmet';
import { type Address, LAUNCH_PATH } from '../base/address.ts';
import { addEndpoints, type Handlers, noStore } from '../base/http/endpoints.ts';
import { readBody } from '../base/http/readBody.ts';
import { errorResponse, notFoundResponse, ok, refusalResponse } from '../base/http/responses.ts';
import {
  type Catalogue,
  type GameMode,
  type GameVersion,
  isKnownCurrency,
  modeKey,
  unknownCurrency,
} from '../rounds/games/catalogue.ts';
import { roundJson, type ShownRound, showUnkept } from '../rounds/play/round.ts';
import { isElsewhere } from '../rounds/sessions/admission.ts';
import { issueSession } from '../rounds/sessions/launchSession.ts';
import type { SessionDirectory } from '../rounds/sessions/sessionDirectory.ts';
import type { Database } from '../store/database/database.ts';
import type { SessionFacts } from '../store/rounds/sessions.ts';
import { eventTypesOf, findAnyBook, findBooks } from './bookSearch.ts';
import type { ForcedOutcomes } from './forcedOutcomes.ts';
import type { LastSession } from './lastSession.ts';
import { launchRouter, SESSION_REFUSALS } from './launchRouter.ts';
import { localOnly } from './localOnly.ts';
import type { Parity } from './parity/parity.ts';

export type LocalDeps = {
  db: Database;
  catalogue: Catalogue;
  sessions: SessionDirectory;
  /** A search that names no session and no game is about the game of this one. */
  lastSession: Pick<LastSession, 'current'>;
  forced: ForcedOutcomes;
  /** The switch makes faults in the game endpoints. */
  faults: FaultSwitch;
  parity: Pick<Parity, 'isStrict' | 'marksOf'> | undefined;
  /** The test players belong to this operator. */
  operatorCode: string;
  /** {@link localOnly} allows these names beside loopback names and addresses. */
  allowedHosts: readonly string[];
  /** Browsers reach this server at this address. */
  address(): Address;
  /** Returns how often a browser has refused the certificate. */
  certificateRefusals(): number;
};

/** Serves the paths for local work. In production nothing mounts this router. */
export function localRouter(deps: LocalDeps): Router {
  const router = Router();
  const routes = Object.values(DEV_ROUTES);
  router.use([...routes.map(({ path }) => path), LAUNCH_PATH], localOnly(deps.allowedHosts));
  for (const { method, path } of routes) {
    if (method === 'POST') router.post(path, noStore, readBody);
    else if (method === 'PUT') router.put(path, noStore, readBody);
    else router.all(path, noStore);
  }
  addEndpoints(router, devContract, localHandlers(deps));
  router.use(launchRouter(deps));
  return router;
}

/** Faults hit the game endpoints only; replay moves no money and is cached without end. */
const PATHS = Object.values(GAME_ROUTES).flatMap(({ method, path }) => (method === 'POST' ? [path] : []));
const FAULT_MESSAGE = 'a fault is switched on at this server';

/** Makes the fault switch of the game wire. Only local work uses it. */
export function createGameFaults({ sessions }: Pick<LocalDeps, 'sessions'>): FaultSwitch {
  return createFaultSwitch({
    paths: PATHS,
    errorCodes: ERROR_CODES,
    defaultSeconds: DEFAULT_FAULT_SECONDS,
    playersOf: async (body) => {
      const { sessionID } = (body ?? {}) as { sessionID?: unknown };
      const session = typeof sessionID === 'string' ? await sessions.find(sessionID) : undefined;
      return session === undefined ? [] : [session.externalID];
    },
    // The switch takes no plan with another code than these.
    errorResponse: (code) =>
      code === undefined
        ? { status: 500, body: { message: FAULT_MESSAGE } }
        : errorResponse(code as ErrorCode, FAULT_MESSAGE),
  });
}

const DEFAULT_CURRENCY = 'USD';

/** Serves sessions without an operator, books without a bet, forced outcomes and faults. */
function localHandlers(deps: LocalDeps): Handlers<typeof devContract> {
  return {
    startSession: async ({ body }) => {
      const game = deps.catalogue.current(body.gameID);
      if (game === undefined) return notFoundResponse('there is no such game here');
      const { currency = DEFAULT_CURRENCY } = body;
      if (!isKnownCurrency(deps.catalogue, currency)) return errorResponse('ERR_VAL', unknownCurrency(currency));
      const { url, rgsUrl, frontendUrl } = deps.address();
      const issued = await issueSession(deps.db, {
        operatorCode: deps.operatorCode,
        playerExternalID: body.token ?? `player-${randomUUID()}`,
        gameID: game.gameID,
        gameVersion: game.version,
        currency,
        country: body.country,
        social: body.social ?? false,
        openingBalance: toMicros(body.balance ?? DEFAULT_TEST_BALANCE),
        setBalanceTo: body.setBalance === undefined ? undefined : toMicros(body.setBalance),
        jurisdiction: body.jurisdiction ?? {},
        draws: body.draws,
        launch: {
          gameHost: url,
          frontendUrl,
          rgsUrl,
          language: toLanguage(body.language),
          device: toDevice(body.device),
        },
      });
      if (!issued.ok) {
        if (isElsewhere(issued)) return errorResponse('ERR_VAL', issued.detail);
        return errorResponse('ERR_VAL', issued.detail ?? SESSION_REFUSALS[issued.refusal]);
      }
      return ok({ url: issued.url, sessionID: issued.sessionID });
    },

    searchBook: async ({ body }) => {
      const bearer = body.sessionID === undefined ? undefined : await findBearer(deps, body.sessionID);
      if (body.sessionID !== undefined && bearer === undefined) return unknownSession();
      const game = await searchedGame(deps, { ...body, session: bearer });
      if (game === 'several') return errorResponse('ERR_VAL', severalGames(deps.catalogue));
      const found = findBook(game, body.mode, body.search.bookID);
      if (found === undefined) return notFoundResponse('there is no such book');
      const balance = bearer && (await bearer.wallet.balance(bearer));
      if (balance?.ok === false) return refusalResponse(balance);
      const currency = bearer?.currency ?? DEFAULT_CURRENCY;
      const round = previewRound(found, found.game.betSettings(currency)?.defaultBetLevel);
      const shown = JSON.stringify({ amount: balance?.balance ?? toMicros(DEFAULT_TEST_BALANCE), currency });
      return { status: 200, json: ['{"round":', ...roundJson(round), `,"balance":${shown}}`] };
    },

    findBooks: async ({ body }) => {
      const session = body.sessionID === undefined ? undefined : await deps.sessions.find(body.sessionID);
      if (body.sessionID !== undefined && session === undefined) return unknownSession();
      const game = await searchedGame(deps, { ...body, session });
      if (game === 'several') return errorResponse('ERR_VAL', severalGames(deps.catalogue));
      const mode = findMode(game, body.mode);
      if (mode === undefined) return notFoundResponse('there is no such mode');
      const found = await findBooks(mode, body, { after: body.from ?? 0, limit: body.limit });
      return ok({ ...found, bookCount: mode.math.bookCount, eventTypes: await eventTypesOf(mode) });
    },

    forceNext: async ({ body }) => {
      const session = await deps.sessions.find(body.sessionID);
      if (session === undefined) return unknownSession();
      const game = deps.catalogue.find(session.gameID, session.gameVersion);
      const mode = findMode(game, body.mode ?? game?.modes.keys().next().value ?? '');
      const book = mode && (await chooseBook(mode, body));
      if (mode !== undefined && book === undefined && body.kind !== undefined) {
        return errorResponse(
          'ERR_VAL',
          `the mode has no book of this kind${body.feature === false ? ' without a feature' : ''}`,
        );
      }
      if (mode === undefined || book === undefined) return notFoundResponse('there is no such book');
      deps.forced.force(session, mode, book);
      return ok({ bookID: book.bookID, mode: mode.name });
    },

    getFaults: async () => ok(deps.faults.plan()),

    setFaults: async ({ body }) => {
      const set = deps.faults.setPlan(body);
      return set.ok ? ok(deps.faults.plan()) : errorResponse('ERR_VAL', set.message);
    },

    clearFaults: async () => {
      deps.faults.clear();
      return ok(deps.faults.plan());
    },

    readParity: async ({ body }) =>
      ok({ isStrict: deps.parity?.isStrict ?? false, marks: deps.parity?.marksOf(body.sessionID) ?? [] }),

    readHttps: async () =>
      ok({ url: deps.address().url.replace(/^http:/, 'https:'), refusals: deps.certificateRefusals() }),
  };
}

function unknownSession() {
  return refusalResponse({ ok: false, refusal: 'session_invalid' });
}

/** Returns the session with its credential, which a seamless wallet sends to the operator. */
async function findBearer({ sessions }: LocalDeps, sessionID: string) {
  const session = await sessions.find(sessionID);
  return session && { ...session, sessionID };
}

type GameChoice = { gameID?: string | undefined; gameVersion?: string | undefined; session: SessionFacts | undefined };

/**
 * Returns the game that a search is about: the one that it names, that of its session, the only
 * one, or that of the session which has authenticated last. Of the game of a session it is that
 * version.
 */
async function searchedGame(
  { catalogue, sessions, lastSession }: LocalDeps,
  { gameVersion, session: named, ...choice }: GameChoice,
): Promise<GameVersion | undefined | 'several'> {
  const last = lastSession.current();
  const session = named ?? (last === undefined ? undefined : await sessions.find(last));
  const gameID = choice.gameID ?? named?.gameID ?? onlyGame(catalogue) ?? session?.gameID;
  if (gameID === undefined) return 'several';
  const version = gameVersion ?? (gameID === session?.gameID ? session?.gameVersion : undefined);
  return version === undefined ? catalogue.current(gameID) : catalogue.find(gameID, version);
}

function gameIDs({ games }: Catalogue): string[] {
  return [...new Set(games.map(({ gameID }) => gameID))];
}

/** Returns the game of a request that names none; undefined when there are several. */
function onlyGame(catalogue: Catalogue): string | undefined {
  const [first, ...more] = gameIDs(catalogue);
  return more.length === 0 ? first : undefined;
}

function severalGames(catalogue: Catalogue): string {
  return `gameID: has to name one of the games that are served: ${gameIDs(catalogue).join(', ')}`;
}

type FoundBook = { game: GameVersion; mode: GameMode; book: DrawnBook };

function findMode(game: GameVersion | undefined, modeName: string): GameMode | undefined {
  return game?.modes.get(modeKey(modeName));
}

function findBook(game: GameVersion | undefined, modeName: string, bookID: number): FoundBook | undefined {
  const mode = findMode(game, modeName);
  const book = mode?.math.find(bookID);
  return game !== undefined && mode !== undefined && book !== undefined ? { game, mode, book } : undefined;
}

/** The contract makes sure that the request has one of the two. */
async function chooseBook(mode: GameMode, { bookID, kind, feature }: ForceNextRequest): Promise<DrawnBook | undefined> {
  return bookID === undefined ? findAnyBook(mode, { kind, feature }) : mode.math.find(bookID);
}

/** Shows the round of the book at the default bet. It is over, so that nobody ends it. */
function previewRound({ mode, book }: FoundBook, defaultBet: number | undefined): ShownRound {
  const amount = toMicros(defaultBet ?? 1) as Micros;
  const payout = payoutOf(amount, book.payoutMultiplier) ?? toMicros(0);
  return { ...showUnkept({ mode, book, amount, payout }), active: false };
}

/** `apps/player` builds it. */
const PLAYER_FOLDER = fileURLToPath(new URL('../../pages/player', import.meta.url));

/** Serves, at the game's launch path, the page that plays a game without a front end. */
export function playerRouter(catalogue: Catalogue): Router {
  const router = Router();
  // The page may send requests to any server, because rgs_url says which; and a lobby may show it
  // in a frame.
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ['*'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
    frameguard: false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: false,
    strictTransportSecurity: false,
  });
  catalogue.onServed(({ gameID, version, frontendFolder }) => {
    if (frontendFolder !== undefined) return;
    const base = `/${gameID}/${version}`;
    router.use(base, loggedAs(`${base}/*`), headers, express.static(PLAYER_FOLDER));
  });
  return router;
}
