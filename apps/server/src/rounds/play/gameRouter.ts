import { type Fairness, GAME_ROUTES, type Grant, gameContract, type Micros, toMicros } from '@roundhouse/contract';
import type { Router } from 'express';
import { type Around, bodyRouter, type Handlers } from '../../base/http/endpoints.ts';
import { type JsonResponse, notFoundResponse, ok, refusalResponse } from '../../base/http/responses.ts';
import type { Refusal, Refused } from '../../base/refusal.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SessionFacts } from '../../store/rounds/sessions.ts';
import { fairnessOf } from '../fair/fairness.ts';
import { startFairSeeds } from '../fair/fairSeeds.ts';
import type { GameVersion } from '../games/catalogue.ts';
import { inSession, type Unrefused } from '../sessions/inSession.ts';
import { type MaintenanceDeps, maintenanceFirst } from '../sessions/maintenanceFirst.ts';
import { type ResolveDeps, resolveSession } from '../sessions/resolveSession.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { type Authenticated, authenticate, configOf } from './authenticate.ts';
import { readHistory } from './history.ts';
import { knownMode, type PlayDeps, play } from './play.ts';
import { displayMultiplier, replay, roundJson, withState } from './round.ts';

/** How a play ends. error: something has thrown before the play was decided. */
type PlayResult = 'accepted' | 'replayed' | 'error' | Refusal;

/**
 * Called after each play whose request is valid; game and mode are undefined when this node does
 * not serve them.
 */
type PlayObserver = (play: { game: string | undefined; mode: string | undefined; result: PlayResult }) => void;

export type GameDeps = ResolveDeps &
  PlayDeps &
  MaintenanceDeps & {
    ledger: Pick<Ledger, 'recordEvent' | 'readHistory' | 'decideGrant'>;
    observePlay: PlayObserver;
    /** Local work looks at requests and responses with it. */
    around?: Around | undefined;
  };

const { replay: _replay, ...BODY_ROUTES } = GAME_ROUTES;
const BODY_PATHS = Object.values(BODY_ROUTES).map(({ path }) => path);
const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the five endpoints of a game, history, grants and replay. */
export function gameRouter(deps: GameDeps): Router {
  return bodyRouter(BODY_PATHS, gameContract, gameHandlers(deps), deps.around);
}

/**
 * Each handler finds the session, calls one use case and returns its outcome in the shape of the
 * wire.
 */
function gameHandlers(deps: GameDeps): Handlers<typeof gameContract> {
  const withSession = <Value extends Unrefused>(
    request: Parameters<typeof inSession>[1],
    handle: (session: BearerSession) => Promise<Value | Refused>,
  ) => inSession(deps, request, handle);

  return {
    authenticate: async ({ body, req, res }) => {
      const resolved = await resolveSession(deps, {
        sessionID: body.sessionID,
        address: req.ip,
        trace: res.locals.trace,
      });
      if (!resolved.ok) return maintenanceFirst(deps, req, refusalResponse(resolved));
      const { session } = resolved;
      const outcome = await authenticate(deps.catalogue, session);
      // The operator responds before the database judges, so maintenance must come before its
      // refusals.
      if (!outcome.ok) return maintenanceFirst(deps, req, refusalResponse(outcome));
      logClient(deps, session, { requestId: res.locals.requestId, clientVersion: body.clientVersion });
      const fairness = session.isFair ? fairnessOf(await startFairSeeds(deps.db, session)) : undefined;
      return authenticated(deps, session, { ...outcome, fairness });
    },

    balance: (request) =>
      withSession(request, async (session) => {
        const outcome = await session.wallet.balance(session);
        return outcome.ok ? ok({ balance: balanceOf(session, outcome.balance) }) : outcome;
      }),

    play: async (request) => {
      const { body, headers } = request;
      let game: GameVersion | undefined;
      let result: PlayResult | undefined;
      try {
        const response = await withSession<JsonResponse>(request, async (session) => {
          game = deps.catalogue.find(session.gameID, session.gameVersion);
          const outcome = await play(deps, session, {
            amount: toMicros(body.amount),
            mode: body.mode,
            grantID: body.grantID,
            // Node joins a repeated header into one text, so this is never an array.
            playKey: headers['idempotency-key'] as string | undefined,
          });
          if (!outcome.ok) {
            result = outcome.refusal;
            return outcome;
          }
          result = outcome.replayed ? 'replayed' : 'accepted';
          const balance = JSON.stringify(balanceOf(session, outcome.balance));
          return { status: 200, json: [`{"balance":${balance},"round":`, ...roundJson(outcome.round), '}'] };
        });
        // An unknown session is refused before it plays.
        result ??= 'session_invalid';
        return response;
      } finally {
        const mode = game && knownMode(game, body.mode);
        deps.observePlay({ game: game?.gameID, mode, result: result ?? 'error' });
      }
    },

    endRound: (request) =>
      withSession(request, async (session) => {
        const outcome = await session.wallet.endRound(session);
        return outcome.ok ? ok({ balance: balanceOf(session, outcome.balance) }) : outcome;
      }),

    event: (request) =>
      withSession(request, async ({ playerID, sessionRowID, trace }) => {
        const { event } = request.body;
        const outcome = await deps.ledger.recordEvent({ playerID, sessionRowID, event }, trace);
        return outcome.ok ? ok({ event }) : outcome;
      }),

    history: (request) =>
      withSession(request, async (session) => {
        const outcome = await readHistory(deps, session, request.body);
        return outcome.ok ? ok(outcome.page) : outcome;
      }),

    grants: (request) =>
      withSession(request, async (session) => {
        const { playerID, sessionRowID, trace } = session;
        const { grantID, decision } = request.body;
        const outcome = await deps.ledger.decideGrant({ playerID, sessionRowID, grantID, decision }, trace);
        return outcome.ok ? ok({ grants: shownGrants(deps, session, outcome.grants) }) : outcome;
      }),

    replay: async ({ params, res }) => {
      const { game, version, mode, event } = params;
      const book = replay(deps.catalogue, { gameID: game, version, mode, bookID: event });
      if (book === undefined) return notFoundResponse('there is no such book');
      res.setHeader('Cache-Control', CACHE_FOR_EVER);
      const multipliers = {
        payoutMultiplier: displayMultiplier(book.payoutMultiplier),
        costMultiplier: Number(book.costMultiplier),
      };
      return { status: 200, json: withState(multipliers, book.events) };
    },
  };
}

/** Logs which software the session uses, by the number of its rounds (GLI-19 v3.0, 2.6.2). */
function logClient(
  { log }: Pick<GameDeps, 'log'>,
  { sessionRowID, gameID, gameVersion }: SessionFacts,
  said: { requestId: string; clientVersion: string | undefined },
): void {
  if (said.clientVersion === undefined) return;
  log.info({ ...said, session: sessionRowID.toString(), game: gameID, version: gameVersion }, 'client');
}

function balanceOf({ currency }: SessionFacts, amount: Micros) {
  return { amount, currency };
}

/** Shows the modes of grants by the names that the session's game has for them. */
function shownGrants(
  { catalogue }: Pick<GameDeps, 'catalogue'>,
  { gameID, gameVersion: version }: SessionFacts,
  grants: readonly Grant[],
): Grant[] {
  return grants.map((grant) => ({ ...grant, mode: catalogue.modeName({ gameID, version, mode: grant.mode }) }));
}

function authenticated(
  deps: GameDeps,
  session: SessionFacts,
  { balance, round, grants: open, fairness, ...config }: Authenticated & { fairness: Fairness | undefined },
): JsonResponse {
  const shown = configOf(deps.catalogue, { ...config, ...session });
  const grants = shownGrants(deps, session, open);
  const meta = { ...(grants.length > 0 && { grants }), ...(fairness && { fairness }) };
  return {
    status: 200,
    json: [
      `{"balance":${JSON.stringify(balanceOf(session, balance))},"config":${JSON.stringify(shown)},"round":`,
      ...(round === undefined ? ['{}'] : roundJson(round)),
      `,"meta":${grants.length === 0 && fairness === undefined ? 'null' : JSON.stringify(meta)}}`,
    ],
  };
}
