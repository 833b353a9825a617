import { type AuthenticateResponse, type BetConfig, gameContract, toMicros } from '@roundhouse/contract';
import { initServer } from '@ts-rest/express';
import type { Request } from 'express';
import type { HttpParts } from '../http/httpParts.ts';
import { type OkResponse, ok } from '../http/okResponse.ts';
import { type ErrorResponse, notFoundResponse, refusalResponse } from '../http/refusalResponses.ts';
import type { SessionFacts } from '../ledger/queries/sessions.ts';
import type { Refusal, Refused } from '../ledger/refusal.ts';
import { resolveSession } from '../sessions/resolveSession.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { type Authenticated, authenticate } from './authenticate.ts';
import { earlyRefusal } from './earlyRefusal.ts';
import { endRound } from './endRound.ts';
import { play } from './play.ts';
import { recordEvent } from './recordEvent.ts';
import { replay } from './replay.ts';
import { wireBalance, wireMultiplier, wireRound, wireState } from './wireRound.ts';

const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';

/** The game-facing endpoints: sessionID in, one use case each, wire shape out. */
export function gameRoutes(parts: HttpParts) {
  return initServer().router(gameContract, {
    authenticate: async ({ body, req }) => {
      const resolved = await resolveSession(parts, { sessionID: body.sessionID, address: req.ip });
      if (!resolved.ok) return earlyRefusal(parts, req, refusalResponse(resolved));
      const { session } = resolved;
      const outcome = await authenticate(parts, session);
      return outcome.ok ? ok(wireAuthenticated(session, outcome)) : refuse(parts, req, outcome);
    },

    balance: ({ body, req }) =>
      withSession(parts, { req, sessionID: body.sessionID }, async (session) => {
        const outcome = await session.wallet.balance(session);
        return outcome.ok
          ? ok({ balance: wireBalance(outcome.balance, session.currency) })
          : refuse(parts, req, outcome);
      }),

    play: ({ body, headers, req }) =>
      withSession(parts, { req, sessionID: body.sessionID }, async (session) => {
        const outcome = await play(parts, session, {
          amount: toMicros(body.amount),
          mode: body.mode,
          // Node joins a repeated header into one text, so this is never an array.
          playKey: headers['idempotency-key'] as string | undefined,
        });
        if (!outcome.ok) return refuse(parts, req, outcome);
        return ok({ balance: wireBalance(outcome.balance, session.currency), round: wireRound(outcome.round) });
      }),

    endRound: ({ body, req }) =>
      withSession(parts, { req, sessionID: body.sessionID }, async (session) => {
        const outcome = await endRound(session);
        return outcome.ok
          ? ok({ balance: wireBalance(outcome.balance, session.currency) })
          : refuse(parts, req, outcome);
      }),

    event: ({ body, req }) =>
      withSession(parts, { req, sessionID: body.sessionID }, async (session) => {
        const outcome = await recordEvent(parts, session, body.event);
        return outcome.ok ? ok({ event: body.event }) : refuse(parts, req, outcome);
      }),

    replay: async ({ params, res }) => {
      const { game, version, mode, event } = params;
      const book = replay(parts.catalogue, { gameID: game, version, mode, bookID: event });
      if (book === undefined) return notFoundResponse('there is no such book');
      res.setHeader('Cache-Control', CACHE_FOR_EVER);
      return ok({
        payoutMultiplier: wireMultiplier(book.payoutMultiplier),
        costMultiplier: Number(book.costMultiplier),
        state: wireState(book.events),
      });
    },
  });
}

async function withSession<Body>(
  parts: HttpParts,
  { req, sessionID }: { req: Request; sessionID: string },
  answer: (session: BearerSession) => Promise<OkResponse<Body> | ErrorResponse>,
): Promise<OkResponse<Body> | ErrorResponse> {
  const session = await parts.sessions.find(sessionID);
  if (session !== undefined) return answer({ ...session, sessionID });
  return earlyRefusal(parts, req, refusalResponse({ ok: false, refusal: 'session' }));
}

/** Found out before the database has judged the session, by this node or by the operator: maintenance still comes first. */
const FOUND_EARLY: ReadonlySet<Refusal> = new Set([
  'not_served',
  'session',
  'login',
  'location',
  'wallet_uncertain',
  'wallet_down',
]);

async function refuse(parts: HttpParts, req: Request, refused: Refused): Promise<ErrorResponse> {
  const response = refusalResponse(refused);
  return FOUND_EARLY.has(refused.refusal) ? earlyRefusal(parts, req, response) : response;
}

function wireAuthenticated(session: SessionFacts, { balance, game, bets, round }: Authenticated): AuthenticateResponse {
  return {
    balance: wireBalance(balance, session.currency),
    config: { gameID: game.gameID, ...bets, betModes: betModes(game), jurisdiction: session.jurisdiction },
    round: round === undefined ? {} : wireRound(round),
    meta: null,
  };
}

function betModes(game: Authenticated['game']): BetConfig['betModes'] {
  return Object.fromEntries(
    [...game.modes.values()].map(({ key, costMultiplier, feature }) => [
      key,
      { mode: key, costMultiplier: Number(costMultiplier), feature },
    ]),
  );
}
