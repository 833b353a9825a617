import type { CurrencyCode, Micros } from '@roundhouse/contract';
import {
  type AdminPlayer,
  type adminContract,
  MAX_NET_POSITION_DAYS,
  type PlayerAccount,
  type PlayerPage,
  type PlayerSession,
} from '@roundhouse/contract/admin';
import type { Response } from 'express';
import { MS_PER_DAY } from '../../base/durations.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { instantOf } from '../../base/http/instant.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { endSessionsOfPlayer, setDailyLimits, setLoginExpiry } from '../../store/rounds/players.ts';
import {
  type AccountFacts,
  countOpenSessions,
  findPlayer,
  listAccounts,
  listPlayerSessions,
  listPlayers,
  MOST_ROUNDS_OF_NET_POSITION,
  type PlayerRow,
  type PlayerSessionRow,
  readNetPosition,
} from '../../store/staff/playerPages.ts';
import type { AdminDeps } from './adminDeps.ts';
import { pageOf, pageStart } from './listPage.ts';
import { filteredScope, pathScope } from './operatorScope.ts';

type PlayerHandlers = Pick<
  Handlers<typeof adminContract>,
  | 'listPlayers'
  | 'getPlayer'
  | 'listPlayerSessions'
  | 'getNetPosition'
  | 'setPlayerLimits'
  | 'setLoginExpiry'
  | 'endPlayerSessions'
>;

type PlayerParams = { operator: string; playerID: string };

/** Handles what users read about players, and their limits, logins and sessions. */
export function playerHandlers({ db }: AdminDeps): PlayerHandlers {
  /** Finds the player of a path, when the user may see them. */
  const find = async (res: Response, { operator, playerID: externalID }: PlayerParams) => {
    const scope = await pathScope(db, res, operator);
    return scope && findPlayer(db, { operatorID: scope.operatorID, externalID });
  };

  const page = async (player: PlayerRow): Promise<PlayerPage> => {
    // They run one after the other: a transaction has one connection.
    const accounts = await listAccounts(db, player.rowID);
    const openSessions = await countOpenSessions(db, player.rowID);
    return { player: playerOnWire(player), accounts: accounts.map(accountOnWire), openSessions };
  };

  /** Reads the player again, after a change. */
  const changed = async (res: Response, params: PlayerParams) => {
    const player = await find(res, params);
    return player === undefined ? unknownPlayer() : ok(await page(player));
  };

  return {
    listPlayers: async ({ query: { cursor, limit, operator, prefix = '' }, res }) => {
      const scope = await filteredScope(db, res, operator);
      if (scope === undefined) return ok({ items: [], cursor: null });
      const { operatorID } = scope;
      const rows = await listPlayers(db, { operatorID, prefix, after: pageStart(cursor), limit });
      return ok(pageOf(rows, { limit, onWire: playerOnWire, idOf: rowIDOf }));
    },

    getPlayer: async ({ params, res }) => {
      const player = await find(res, params);
      return player === undefined ? unknownPlayer() : ok(await page(player));
    },

    listPlayerSessions: async ({ params, query: { cursor, limit }, res }) => {
      const player = await find(res, params);
      if (player === undefined) return unknownPlayer();
      const wanted = { playerRowID: player.rowID, before: pageStart(cursor), limit };
      return ok(pageOf(await listPlayerSessions(db, wanted), { limit, onWire: sessionOnWire, idOf: rowIDOf }));
    },

    getNetPosition: async ({ params, query, res }) => {
      const from = instantOf(`${query.from}T00:00:00Z`);
      const to = new Date(instantOf(`${query.to}T00:00:00Z`).getTime() + MS_PER_DAY);
      const days = (to.getTime() - from.getTime()) / MS_PER_DAY;
      if (days < 1) return errorResponse('ERR_VAL', 'to: it is before from');
      if (days > MAX_NET_POSITION_DAYS) return errorResponse('ERR_VAL', `to: more than ${MAX_NET_POSITION_DAYS} days`);
      const player = await find(res, params);
      if (player === undefined) return unknownPlayer();
      const position = await readNetPosition(db, { playerRowID: player.rowID, from, to });
      if (position === undefined) return tooManyRounds();
      return ok({
        days: position.map(({ bets, payouts, ...day }) => ({
          ...day,
          bets: String(bets),
          payouts: String(payouts),
          net: String(payouts - bets),
        })),
      });
    },

    setPlayerLimits: async ({ params, body: { currency, dailyWager, dailyLoss }, res }) => {
      if ((await find(res, params)) === undefined) return unknownPlayer();
      const limits = {
        ...(dailyWager !== undefined && { wagerMicros: dailyWager as Micros | null }),
        ...(dailyLoss !== undefined && { lossMicros: dailyLoss as Micros | null }),
      };
      const isSet = await setDailyLimits(db, { ...keyOf(params), currency: currency as CurrencyCode }, limits);
      return isSet ? changed(res, params) : notFoundResponse(`the player has no account in ${currency}`);
    },

    setLoginExpiry: async ({ params, body: { loginExpiresAt }, res }) => {
      if ((await find(res, params)) === undefined) return unknownPlayer();
      await setLoginExpiry(db, keyOf(params), momentOf(loginExpiresAt));
      return changed(res, params);
    },

    endPlayerSessions: async ({ params, res }) => {
      if ((await find(res, params)) === undefined) return unknownPlayer();
      const ended = await endSessionsOfPlayer(db, keyOf(params));
      return ended === undefined ? unknownPlayer() : ok({ ended });
    },
  };
}

function momentOf(text: string | null): Date | null {
  if (text === null) return null;
  return text === 'now' ? new Date() : instantOf(text);
}

function keyOf({ operator, playerID }: PlayerParams) {
  return { operatorCode: operator, externalID: playerID };
}

function rowIDOf({ rowID }: { rowID: bigint }): bigint {
  return rowID;
}

function playerOnWire({ operator, playerID, country, createdAt, loginExpiresAt, currencies }: PlayerRow): AdminPlayer {
  return {
    operator,
    playerID,
    country,
    currencies,
    createdAt: createdAt.toISOString(),
    loginExpiresAt: loginExpiresAt?.toISOString() ?? null,
  };
}

function accountOnWire({ activeAt, ...account }: AccountFacts): PlayerAccount {
  return { ...account, activeAt: activeAt?.toISOString() ?? null };
}

function sessionOnWire({ rowID, createdAt, expiresAt, lastActiveAt, ...session }: PlayerSessionRow): PlayerSession {
  return {
    sessionNumber: Number(rowID),
    ...session,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastActiveAt: lastActiveAt.toISOString(),
  };
}

function unknownPlayer() {
  return notFoundResponse('there is no such player');
}

function tooManyRounds() {
  const most = MOST_ROUNDS_OF_NET_POSITION.toLocaleString('en');
  return errorResponse('ERR_VAL', `the player has more than ${most} rounds in these days: choose fewer days`);
}
