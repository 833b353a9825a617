import type { operatorContract } from '@roundhouse/contract';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { availableGames } from '../games/availableGames.ts';
import type { Catalogue } from '../games/catalogue.ts';
import type { Handlers } from '../http/endpoints.ts';
import { errorResponse, notFoundResponse, ok } from '../http/responses.ts';
import type { Database } from '../ledger/database.ts';
import { readCursor, writeCursor } from '../operatorApi/cursor.ts';
import { callerOf } from '../operatorApi/operatorSignature.ts';
import { cancelCampaign, createCampaign, listCampaigns, readCampaign } from './campaigns.ts';
import { cancelGrant, giveGrants, listGrantChanges, listGrants, readGrant } from './grants.ts';
import type { Asking, FreeRoundsRefused } from './terms.ts';

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
 * Handles the requests about campaigns and grants. Those of another operator are as unknown as those
 * that do not exist.
 */
export function grantHandlers({ db, log, catalogue }: GrantDeps): GrantHandlers {
  const asking = async (res: Response): Promise<Asking> => ({
    ...caller(res),
    served: await availableGames(db, catalogue),
  });

  return {
    createCampaign: async ({ body, res }) => {
      const created = await createCampaign(db, { ...(await asking(res)), request: body });
      return created.ok ? ok(created.campaign) : refusal(created);
    },

    listCampaigns: async ({ query: { cursor, limit }, res }) => {
      const before = readCursor(cursor);
      if (before === undefined || (before !== 'none' && before > MAX_CAMPAIGN_ROW)) return noCursor();
      const page = { ...caller(res), before: before === 'none' ? undefined : Number(before), limit };
      const { campaigns, next } = await listCampaigns(db, page);
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

    giveGrants: async ({ body, res }) => {
      const given = await giveGrants(db, { ...(await asking(res)), request: body });
      return given.ok ? ok({ grants: given.grants }) : refusal(given);
    },

    listGrants: async ({ query: { cursor, ...query }, res }) => {
      const before = readCursor(cursor);
      if (before === undefined) return noCursor();
      const page = { ...caller(res), ...query, before: before === 'none' ? undefined : before };
      const { grants, next } = await listGrants(db, page);
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
      const after = readCursor(cursor);
      if (after === undefined) return noCursor();
      const page = { ...caller(res), after: after === 'none' ? 0n : after, limit };
      const { grants, last } = await listGrantChanges(db, page);
      return ok({ grants, cursor: last === undefined ? (cursor ?? null) : writeCursor(last) });
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
  return errorResponse('ERR_VAL', 'cursor: is none of ours');
}
