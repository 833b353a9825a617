import type { operatorContract } from '@roundhouse/contract';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { writeCursor } from '../../base/http/cursor.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { cancelCampaign, createCampaign, listCampaigns, readCampaign } from '../../rounds/freeRounds/campaigns.ts';
import { cancelGrant, giveGrants, listGrantChanges, listGrants, readGrant } from '../../rounds/freeRounds/grants.ts';
import type { Asking, FreeRoundsRefused } from '../../rounds/freeRounds/terms.ts';
import { availableGames } from '../../rounds/games/availableGames.ts';
import type { Catalogue } from '../../rounds/games/catalogue.ts';
import { findElsewhere, isElsewhere } from '../../rounds/sessions/admission.ts';
import type { Database } from '../../store/database/database.ts';
import { nameCursors, pageStart } from './fleetPages.ts';
import { askedOf, misdirected } from './misdirected.ts';
import { callerOf } from './operatorSignature.ts';

export type GrantDeps = { db: Database; log: Logger; catalogue: Catalogue };

type GrantHandlers = Pick<
  Handlers<typeof operatorContract>,
  | 'createCampaign'
  | 'listCampaigns'
  | 'getCampaign'
  | 'cancelCampaign'
  | 'giveGrants'
  | 'listGrants'
  | 'getGrant'
  | 'cancelGrant'
  | 'listGrantChanges'
>;

const MAX_CAMPAIGN_ROW = 2n ** 31n - 1n;

/**
 * Handles the requests about campaigns and grants. Another operator's are treated as if they did
 * not exist.
 */
export function grantHandlers({ db, log, catalogue }: GrantDeps): GrantHandlers {
  const asking = async (res: Response): Promise<Asking> => ({
    ...caller(res),
    served: await availableGames(db, catalogue),
  });

  /** Says whether another cell serves a request about this player. */
  const elsewhereOf = async (req: Request, res: Response, playerID: string | undefined) => {
    if (playerID === undefined) return undefined;
    return findElsewhere(db, { ...caller(res), externalID: playerID, asked: askedOf(req) });
  };

  return {
    createCampaign: async ({ body, res }) => {
      const created = await createCampaign(db, { ...(await asking(res)), request: body });
      return created.ok ? ok(created.campaign) : refusal(created);
    },

    listCampaigns: async ({ query: { cursor, limit }, res }) => {
      const start = await pageStart(db, { res, cursor, listOf: 'operator' });
      if (start === undefined || (typeof start === 'bigint' && start > MAX_CAMPAIGN_ROW)) return noCursor();
      if (start === 'ended') return ok({ campaigns: [], cursor: null });
      const page = { ...caller(res), before: start === 'first' ? undefined : Number(start), limit };
      const { campaigns, rowIDs, next } = await listCampaigns(db, page);
      nameCursors(res, rowIDs);
      return ok({ campaigns, cursor: next === undefined ? null : writeCursor(next) });
    },

    getCampaign: async ({ params: { campaignID }, res }) => {
      const found = await readCampaign(db, { ...caller(res), campaignID });
      return found.ok ? ok(found.campaign) : refusal(found);
    },

    cancelCampaign: async ({ params: { campaignID }, body: { reason }, res }) => {
      const cancelled = await cancelCampaign(db, { ...caller(res), campaignID, reason });
      log.info(
        { operator: callerOf(res).code, campaignID, reason, ok: cancelled.ok },
        'an operator cancelled a campaign',
      );
      return cancelled.ok ? ok(cancelled.campaign) : refusal(cancelled);
    },

    giveGrants: async ({ body, req, res }) => {
      const given = await giveGrants(db, { ...(await asking(res)), asked: askedOf(req), request: body });
      if (given.ok) return ok({ grants: given.grants });
      return isElsewhere(given) ? misdirected(db, { req, res }, given) : refusal(given);
    },

    listGrants: async ({ query: { cursor, ...query }, req, res }) => {
      const elsewhere = await elsewhereOf(req, res, query.playerID);
      if (elsewhere !== undefined) return misdirected(db, { req, res }, elsewhere);
      const listOf = query.playerID === undefined ? 'operator' : 'player';
      const start = await pageStart(db, { res, cursor, listOf });
      if (start === undefined) return noCursor();
      if (start === 'ended') return ok({ grants: [], cursor: null });
      const page = { ...caller(res), ...query, before: start === 'first' ? undefined : start };
      const { grants, rowIDs, next } = await listGrants(db, page);
      nameCursors(res, rowIDs);
      return ok({ grants, cursor: next === undefined ? null : writeCursor(next) });
    },

    getGrant: async ({ params: { grantID }, res }) => {
      const found = await readGrant(db, { ...caller(res), grantID });
      return found.ok ? ok(found.grant) : refusal(found);
    },

    cancelGrant: async ({ params: { grantID }, body: { reason }, res }) => {
      const cancelled = await cancelGrant(db, { ...caller(res), grantID, reason });
      log.info({ operator: callerOf(res).code, grantID, reason, ok: cancelled.ok }, 'an operator cancelled a grant');
      return cancelled.ok ? ok(cancelled.grant) : refusal(cancelled);
    },

    listGrantChanges: async ({ query: { cursor, limit }, res }) => {
      const start = await pageStart(db, { res, cursor, listOf: 'operator' });
      if (start === undefined) return noCursor();
      if (start === 'ended') return ok({ grants: [], cursor: null });
      const after = start === 'first' ? 0n : start;
      const { grants, changes } = await listGrantChanges(db, { ...caller(res), after, limit });
      nameCursors(res, changes);
      const last = changes.at(-1) ?? after;
      return ok({ grants, cursor: last === 0n ? null : writeCursor(last) });
    },
  };
}

function caller(res: Response) {
  const { operatorID, code } = callerOf(res);
  return { operatorID, operatorCode: code, actor: `operator:${code}` };
}

function refusal({ refusal, detail }: FreeRoundsRefused) {
  return refusal === 'unknown' ? notFoundResponse(detail) : errorResponse('ERR_VAL', detail);
}

function noCursor() {
  return errorResponse('ERR_VAL', 'cursor: it is not from this API');
}
