import { randomUUID } from 'node:crypto';
import {
  DEFAULT_TEST_BALANCE,
  devContract,
  type ForceNextRequest,
  type Micros,
  payoutOf,
  toDevice,
  toLanguage,
  toMicros,
} from '@roundhouse/contract';
import type { FaultSwitch } from '@roundhouse/faults';
import type { DrawnBook } from '@roundhouse/math';
import { initServer } from '@ts-rest/express';
import type { Catalogue } from '../games/catalogue.ts';
import type { GameMode, GameVersion } from '../games/game.ts';
import { modeKey } from '../games/modeKey.ts';
import type { HttpParts } from '../http/httpParts.ts';
import { ok } from '../http/okResponse.ts';
import { errorResponse, notFoundResponse, refusalResponse } from '../http/refusalResponses.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';
import type { StartSessionFault } from '../ledger/queries/startSession.ts';
import { wireBalance, wireRound } from '../play/wireRound.ts';
import { issueSession } from '../sessions/issueSession.ts';
import { bookOfKind } from './bookOfKind.ts';
import type { ForcedOutcomes } from './forcedOutcomes.ts';

export type DevParts = HttpParts & {
  forced: ForcedOutcomes;
  /** Of the five endpoints. */
  faults: FaultSwitch;
  /** The operator whose test players these are. */
  operatorCode: string;
};

const DEFAULT_CURRENCY = 'USD';

/** For local work only (wire.md): sessions without an operator, books without a bet. */
export function devRoutes(parts: DevParts) {
  return initServer().router(devContract, {
    startSession: async ({ body }) => {
      const game = parts.catalogue.current(body.gameID);
      if (game === undefined) return notFoundResponse('there is no such game here');
      const issued = await issueSession(parts.db, {
        operatorCode: parts.operatorCode,
        playerExternalID: body.token ?? `player-${randomUUID()}`,
        gameID: game.gameID,
        gameVersion: game.version,
        currency: body.currency ?? DEFAULT_CURRENCY,
        country: body.country,
        social: body.social ?? false,
        openingBalance: toMicros(body.balance ?? DEFAULT_TEST_BALANCE),
        setBalanceTo: body.setBalance === undefined ? undefined : toMicros(body.setBalance),
        jurisdiction: body.jurisdiction ?? {},
        launch: {
          gameHost: parts.launch.gameHost,
          rgsUrl: parts.launch.rgsUrl,
          language: toLanguage(body.language),
          device: toDevice(body.device),
        },
      });
      if (!issued.ok) return { status: 400, body: { error: 'ERR_VAL', message: FAULTS[issued.fault] } } as const;
      return ok({ url: issued.url, sessionID: issued.sessionID });
    },

    searchBook: async ({ body }) => {
      const bearer = body.sessionID === undefined ? undefined : await findBearer(parts, body.sessionID);
      if (body.sessionID !== undefined && bearer === undefined) return unknownSession();
      const gameID = body.gameID ?? bearer?.gameID ?? onlyGame(parts.catalogue);
      if (gameID === undefined) return errorResponse('ERR_VAL', severalGames(parts.catalogue));
      const game = findGame(parts.catalogue, { gameID, gameVersion: body.gameVersion, session: bearer });
      const found = findBook(game, body.mode, body.search.bookID);
      if (found === undefined) return notFoundResponse('there is no such book');
      const balance = bearer && (await bearer.wallet.balance(bearer));
      if (balance?.ok === false) return refusalResponse(balance);
      const currency = bearer?.currency ?? DEFAULT_CURRENCY;
      return ok({
        round: wireRound(previewRound(found, found.game.betSettings(currency)?.defaultBetLevel)),
        balance: wireBalance(balance?.balance ?? toMicros(DEFAULT_TEST_BALANCE), currency),
      });
    },

    forceNext: async ({ body }) => {
      const session = await parts.sessions.find(body.sessionID);
      if (session === undefined) return unknownSession();
      const game = parts.catalogue.find(session.gameID, session.gameVersion);
      const mode = findMode(game, body.mode ?? game?.modes.keys().next().value ?? '');
      const book = mode && chooseBook(mode, body);
      if (mode !== undefined && book === undefined && body.kind !== undefined) {
        return errorResponse('ERR_VAL', 'the mode has no book of this kind');
      }
      if (mode === undefined || book === undefined) return notFoundResponse('there is no such book');
      parts.forced.force(session, mode, book);
      return ok({ bookID: book.bookID, mode: mode.key });
    },

    getFaults: async () => ok(parts.faults.plan()),

    setFaults: async ({ body }) => {
      const set = parts.faults.setPlan(body);
      return set.ok ? ok(set.plan) : errorResponse('ERR_VAL', set.message);
    },

    clearFaults: async () => {
      parts.faults.clear();
      return ok(parts.faults.plan());
    },
  });
}

const FAULTS: Readonly<Record<StartSessionFault, string>> = {
  unknown_operator: 'the operator of the test players is not there',
  unknown_game: 'the game is not published',
  currency_not_offered: 'the game is not offered in this currency',
  session_taken: 'there is a session of this id already',
};

function unknownSession() {
  return refusalResponse({ ok: false, refusal: 'session' });
}

/** The session with its credential, which a seamless wallet hands to the operator that issued it. */
async function findBearer({ sessions }: HttpParts, sessionID: string) {
  const session = await sessions.find(sessionID);
  return session && { ...session, sessionID };
}

type GameChoice = { gameID: string; gameVersion: string | undefined; session: SessionFacts | undefined };

function findGame(catalogue: Catalogue, { gameID, gameVersion, session }: GameChoice): GameVersion | undefined {
  const version = gameVersion ?? (gameID === session?.gameID ? session?.gameVersion : undefined);
  return version === undefined ? catalogue.current(gameID) : catalogue.find(gameID, version);
}

function gameIDs({ games }: Catalogue): string[] {
  return [...new Set(games.map(({ gameID }) => gameID))];
}

/** The game that is meant where none is named; undefined where it could be one of several. */
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

/** The contract sees to it that the request has one of the two. */
function chooseBook(mode: GameMode, { bookID, kind }: ForceNextRequest): DrawnBook | undefined {
  if (bookID !== undefined) return mode.math.find(bookID);
  return kind && bookOfKind(mode, kind);
}

/** The round that the book would be at the default bet; betID 0, because no round was opened. */
function previewRound({ mode, book }: FoundBook, amount: number | undefined) {
  const bet = toMicros(amount ?? 1) as Micros;
  return {
    roundID: 0n,
    mode: mode.key,
    costMultiplier: mode.costMultiplier,
    amount: bet,
    payout: payoutOf(bet, book.payoutMultiplier) ?? toMicros(0),
    payoutMultiplier: book.payoutMultiplier,
    active: false,
    lastEvent: null,
    events: mode.math.readEvents(book.position),
  };
}
