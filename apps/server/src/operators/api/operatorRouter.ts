import {
  LANGUAGES,
  type Language,
  launchPages,
  OPERATOR_ROUTES,
  type OperatorGame,
  operatorContract,
  toDevice,
  toLaunchLanguage,
} from '@roundhouse/contract';
import { volatilityOf } from '@roundhouse/math';
import { loggedAs, traceFields } from '@roundhouse/service';
import { type ErrorRequestHandler, Router } from 'express';
import type { Address } from '../../base/address.ts';
import { addEndpoints, type Handlers, noStore } from '../../base/http/endpoints.ts';
import { invalidRequestMessage } from '../../base/http/errors.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { errorResponse, notFoundResponse, ok, sendJson } from '../../base/http/responses.ts';
import { availableGames } from '../../rounds/games/availableGames.ts';
import {
  type Catalogue,
  commitmentOf,
  type GameMode,
  type GameVersion,
  isKnownCurrency,
  unknownCurrency,
} from '../../rounds/games/catalogue.ts';
import { findElsewhere, isElsewhere } from '../../rounds/sessions/admission.ts';
import { findLaunchElsewhere, type LaunchRefusal, launchSession } from '../../rounds/sessions/launchSession.ts';
import type { SessionDirectory } from '../../rounds/sessions/sessionDirectory.ts';
import { sha256Of } from '../../rounds/sessions/sessionToken.ts';
import type { CallingOperator } from '../../store/operators/operatorSecrets.ts';
import { isCurrencyOffered } from '../../store/rounds/games.ts';
import { endSessions } from '../../store/rounds/sessions.ts';
import { grantHandlers } from './grantHandlers.ts';
import { askedOf, misdirected, nameFleet } from './misdirected.ts';
import { callerOf, type SignatureDeps, signedByOperator } from './operatorSignature.ts';
import { type RoundDeps, roundHandlers } from './roundHandlers.ts';

export type OperatorDeps = SignatureDeps &
  RoundDeps & { catalogue: Catalogue; sessions: SessionDirectory; address(): Address };

const PATHS = new Set(Object.values(OPERATOR_ROUTES).map(({ path }) => path));
/**
 * Paths are cut at their parameters: nothing of a path is decoded before the signature is checked.
 */
const WITHOUT_PARAMETERS = [...new Set([...PATHS].map((path) => path.replace(/\/:.*/, '')))];
/** No root is below another one, so the signature of a request is checked once. */
const ROOTS = WITHOUT_PARAMETERS.filter((path) => !WITHOUT_PARAMETERS.some((other) => path.startsWith(`${other}/`)));

/** Serves the API for operators. Unsigned requests are refused first. */
export function operatorRouter(deps: OperatorDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const root of ROOTS)
    router.use(root, loggedAs(`${root}/*`), noStore, nameFleet(deps.db), signedByOperator(deps));
  addEndpoints(router, operatorContract, { ...operatorHandlers(deps), ...roundHandlers(deps), ...grantHandlers(deps) });
  for (const path of PATHS) {
    router.all(path, (_req, _res, next) => next(new InvalidRequest('this path has no such method')));
  }
  router.use(sendInvalidRequest);
  return router;
}

/**
 * Refuses as games do, except that maintenance does not come first: it stops players, but operators
 * may still read and void rounds.
 */
const sendInvalidRequest: ErrorRequestHandler = (error, _req, res, next) => {
  const message = error instanceof URIError ? undefined : invalidRequestMessage(error);
  if (message === undefined || res.headersSent) return next(error);
  sendJson(res, errorResponse('ERR_VAL', message));
};

const LAUNCH_LANGUAGES = Object.keys(LANGUAGES) as Language[];

type OperatorHandlers = Omit<
  Handlers<typeof operatorContract>,
  keyof ReturnType<typeof roundHandlers> | keyof ReturnType<typeof grantHandlers>
>;

/**
 * Handles launches and sessions. An operator's request reaches only what belongs to that operator.
 */
function operatorHandlers({ db, log, catalogue, sessions, address }: OperatorDeps): OperatorHandlers {
  return {
    listGames: async ({ res }) =>
      ok({
        games: listedGames(await availableGames(db, catalogue), { address, operator: callerOf(res) }),
        currencies: [...catalogue.currencies],
        languages: LAUNCH_LANGUAGES.filter((code) => toLaunchLanguage(code, callerOf(res).languages) === code),
      }),

    createSession: async ({ body, req, res }) => {
      const asked = askedOf(req);
      const { sessionID, token, playerID, currency, country } = body;
      const elsewhere = await findLaunchElsewhere(db, { operator: callerOf(res), token, playerID, asked });
      if (elsewhere !== undefined) return misdirected(db, { req, res }, elsewhere);
      const available = (await availableGames(db, catalogue)).find(({ gameID }) => gameID === body.gameID);
      // When all versions were withdrawn, open rounds can still be finished in the current one.
      const game = available ?? catalogue.current(body.gameID);
      if (game === undefined) return notFoundResponse('there is no such game here');
      if (!isKnownCurrency(catalogue, currency)) return errorResponse('ERR_VAL', unknownCurrency(currency));
      const { url, rgsUrl, frontendUrl } = address();
      const launched = await launchSession(db, {
        trace: res.locals.trace,
        operator: callerOf(res),
        game,
        sessionID,
        token,
        playerID,
        asked,
        currency,
        country,
        jurisdiction: { ...(body.social && { socialCasino: true }), ...body.jurisdiction },
        maxStake: body.maxStake,
        draws: body.draws,
        launch: {
          gameHost: url,
          frontendUrl,
          rgsUrl,
          language: toLaunchLanguage(body.lang, callerOf(res).languages),
          device: toDevice(body.device),
          ...(body.social && { social: true }),
          ...launchPages((name) => body[name]),
        },
      });
      if (!launched.ok) {
        if (isElsewhere(launched)) return misdirected(db, { req, res }, launched);
        return errorResponse('ERR_VAL', launched.detail ?? LAUNCH_REFUSALS[launched.refusal]);
      }
      sessions.issued(launched.sessionID);
      return ok({ sessionID: launched.sessionID, url: launched.url });
    },

    endSessions: async ({ body, req, res }) => {
      const { operatorID, code: operatorCode } = callerOf(res);
      const { sessionID, playerID = '', reason } = body;
      if (sessionID === undefined) {
        const elsewhere = await findElsewhere(db, {
          operatorID,
          operatorCode,
          externalID: playerID,
          asked: askedOf(req),
        });
        if (elsewhere !== undefined) return misdirected(db, { req, res }, elsewhere);
      }
      const ended = await endSessions(db, {
        operatorID,
        operatorCode,
        ...(sessionID === undefined ? { externalID: playerID } : { tokenSha256: sha256Of(sessionID) }),
      });
      log.info(
        { operator: operatorCode, ...traceFields(res.locals.trace), playerID: body.playerID, reason, ended },
        'an operator ended sessions',
      );
      // A player who has never been here has no session either.
      if (ended === undefined && sessionID !== undefined) return noSuchSession();
      return ok({ ended: ended ?? 0 });
    },

    revokeSession: async ({ params, res }) => {
      const { operatorID, code: operatorCode } = callerOf(res);
      const ended = await endSessions(db, { operatorID, operatorCode, tokenSha256: sha256Of(params.sessionID) });
      return ended === undefined ? noSuchSession() : ok({ revoked: true as const });
    },
  };
}

function noSuchSession() {
  return notFoundResponse('there is no such session');
}

const LAUNCH_REFUSALS: Readonly<Record<LaunchRefusal, string>> = {
  unknown_operator: 'the operator is not there any more',
  unknown_game: 'the game is not published',
  currency_not_offered: 'the game is not offered to this operator in this currency',
  player_name: 'token: names the player here, and must not hold control characters or ends of lines',
  rtp_too_low: 'a mode of the game returns less than the jurisdiction demands',
  session_taken: 'there is a session of this sessionID already',
  operator_disabled: 'the operator is disabled: nobody plays there',
  foreign_prefix: 'sessionID: the text before its first colon must be the code of this operator',
};

/** Lists each game in the currencies in which this operator may launch it. */
function listedGames(
  games: readonly GameVersion[],
  { address, operator }: Pick<OperatorDeps, 'address'> & { operator: CallingOperator },
): OperatorGame[] {
  return games.map((game) => ({
    gameID: game.gameID,
    version: game.version,
    title: game.title,
    draws: operator.draws ?? game.draws ?? 'certified',
    currencies: game.currencies.filter((currency) => isCurrencyOffered(currency, { game, operator })),
    modes: [...game.modes.keys()],
    statistics: [...game.modes.values()].map(statisticsOf),
    bets: game.betLimits,
    hasFrontend: game.frontendFolder !== undefined,
    ...(game.thumbnail !== undefined && {
      thumbnail: `${address().url}/${game.gameID}/${game.version}/${game.thumbnail}`,
    }),
  }));
}

function statisticsOf({ key, costMultiplier, math }: GameMode): OperatorGame['statistics'][number] {
  const { rtp, standardDeviation, hitRate, maxWin } = math.statistics();
  return {
    mode: key,
    costMultiplier: Number(costMultiplier),
    rtp,
    standardDeviation,
    volatility: volatilityOf(standardDeviation),
    hitRate,
    // The unit of maxWin is hundredths: it counts base bets, and is not an amount of money.
    maxWin: Number(maxWin) / 100,
    table: commitmentOf(math),
  };
}
