import { operatorContract, toDevice, toLanguage } from '@roundhouse/contract';
import { initServer } from '@ts-rest/express';
import type { HttpParts } from '../http/httpParts.ts';
import { ok } from '../http/okResponse.ts';
import { errorResponse, notFoundResponse } from '../http/refusalResponses.ts';
import { revokeSession } from '../ledger/queries/sessions.ts';
import { type LaunchFault, launchSession } from '../sessions/launchSession.ts';
import { sha256Of } from '../sessions/sessionToken.ts';
import { operatorRoundRoutes } from './operatorRoundRoutes.ts';
import { callerOf } from './operatorSignature.ts';
import { operatorGames } from './operatorWire.ts';

/** The operator API: each call is signed, and is about what belongs to its operator. */
export function operatorRoutes(parts: HttpParts) {
  const { db, catalogue, launch } = parts;
  return initServer().router(operatorContract, {
    ...operatorRoundRoutes(parts),

    listGames: async ({ res }) => ok({ games: operatorGames(catalogue, callerOf(res).currencies) }),

    createSession: async ({ body, res }) => {
      const game = catalogue.current(body.gameID);
      if (game === undefined) return notFoundResponse('there is no such game here');
      const { sessionID, token, playerID, currency, country, returnURL } = body;
      const launched = await launchSession(db, {
        operator: callerOf(res),
        game,
        sessionID,
        token,
        playerID,
        currency,
        country,
        jurisdiction: { ...(body.social && { socialCasino: true }), ...body.jurisdiction },
        launch: {
          gameHost: launch.gameHost,
          rgsUrl: launch.rgsUrl,
          language: toLanguage(body.lang),
          device: toDevice(body.device),
          ...(body.social && { social: true }),
          ...(returnURL !== undefined && { returnURL }),
        },
      });
      if (!launched.ok) return errorResponse('ERR_VAL', FAULTS[launched.fault]);
      parts.sessions.issued(launched.sessionID);
      return ok({ sessionID: launched.sessionID, url: launched.url });
    },

    revokeSession: async ({ params, res }) => {
      const { operatorID } = callerOf(res);
      const isRevoked = await revokeSession(db, { operatorID, tokenSha256: sha256Of(params.sessionID) });
      return isRevoked ? ok({ revoked: true as const }) : notFoundResponse('there is no such session');
    },
  });
}

const FAULTS: Readonly<Record<LaunchFault, string>> = {
  unknown_operator: 'the operator is not there any more',
  unknown_game: 'the game is not published',
  currency_not_offered: 'the game is not offered to this operator in this currency',
  session_taken: 'there is a session of this sessionID already',
  operator_disabled: 'the operator is disabled: nobody plays there',
  foreign_prefix: 'sessionID: what stands before its first colon must be the code of this operator',
};
