import type { AdminCampaign, adminContract, CampaignProgress } from '@roundhouse/contract/admin';
import type { Response } from 'express';
import { writeCursor } from '../../base/http/cursor.ts';
import type { Handlers } from '../../base/http/endpoints.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { cancelCampaign, createCampaign } from '../../rounds/freeRounds/campaigns.ts';
import { followCampaign, judgeAndPrice } from '../../rounds/freeRounds/followCampaign.ts';
import { cancelGrant, giveGrants, listGrants } from '../../rounds/freeRounds/grants.ts';
import type { GrantPrice, Progress } from '../../rounds/freeRounds/price.ts';
import type { FreeRoundsRefused, OperatorKey } from '../../rounds/freeRounds/terms.ts';
import type { Elsewhere } from '../../rounds/sessions/admission.ts';
import { type CampaignHead, listCampaignHeads } from '../../store/rounds/campaigns.ts';
import { actorOf } from '../access/caller.ts';
import type { AdminDeps } from './adminDeps.ts';
import { callerOf } from './guard.ts';
import { MOST_SMALL_ID, pageOf, pageStart } from './listPage.ts';
import { pathScope, scopeOf } from './operatorScope.ts';

type FreeRoundHandlers = Pick<
  Handlers<typeof adminContract>,
  | 'listCampaigns'
  | 'getCampaign'
  | 'priceTerms'
  | 'createCampaign'
  | 'cancelCampaign'
  | 'listGrants'
  | 'giveGrants'
  | 'cancelGrant'
>;

/** Handles campaigns and grants by the rules of the operator API; the user is the actor. */
export function freeRoundHandlers({ db }: AdminDeps): FreeRoundHandlers {
  /** Returns undefined for an operator that does not exist for this user. */
  const keyOf = async (res: Response, code: string): Promise<OperatorKey | undefined> => {
    const scope = await pathScope(db, res, code);
    return scope && { ...scope, actor: actorOf(callerOf(res)) };
  };
  const readHead = async ({ operatorID }: OperatorKey, campaignID: string): Promise<AdminCampaign> => {
    const [head] = await listCampaignHeads(db, { operatorID, campaignID, limit: 1 });
    if (head === undefined) throw new Error('the campaign is not there after it was stored');
    return campaignOnWire(head);
  };

  return {
    listCampaigns: async ({ query: { cursor, limit, operator }, res }) => {
      const before = pageStart(cursor, MOST_SMALL_ID);
      const { operatorCode = operator } = scopeOf(res);
      const heads = await listCampaignHeads(db, {
        operatorCode,
        before: before === undefined ? undefined : Number(before),
        limit: limit + 1,
      });
      return ok(pageOf(heads, { limit, onWire: campaignOnWire, idOf: ({ rowID }) => rowID }));
    },

    getCampaign: async ({ params: { operator, campaignID }, res }) => {
      const key = await keyOf(res, operator);
      const followed = key && (await followCampaign(db, { ...key, campaignID }));
      if (followed === undefined) return notFoundResponse('there is no such campaign');
      const { head, progress, perGrant } = followed;
      return ok({
        campaign: campaignOnWire(head),
        progress: progress.map(progressOnWire),
        perGrant: perGrant.map(priceOnWire),
      });
    },

    priceTerms: async ({ params: { operator }, body, res }) => {
      const key = await keyOf(res, operator);
      if (key === undefined) return noOperator();
      const priced = await judgeAndPrice(db, { ...key, request: body });
      return priced.ok ? ok({ perGrant: priced.perGrant.map(priceOnWire) }) : refusal(priced);
    },

    createCampaign: async ({ params: { operator }, body, res }) => {
      const key = await keyOf(res, operator);
      if (key === undefined) return noOperator();
      const created = await createCampaign(db, { ...key, request: body });
      return created.ok ? ok(await readHead(key, body.campaignID)) : refusal(created);
    },

    cancelCampaign: async ({ params: { operator, campaignID }, body: { reason }, res }) => {
      const key = await keyOf(res, operator);
      if (key === undefined) return notFoundResponse('there is no such campaign');
      const cancelled = await cancelCampaign(db, { ...key, campaignID, reason });
      return cancelled.ok ? ok(await readHead(key, campaignID)) : refusal(cancelled);
    },

    listGrants: async ({ params: { operator }, query: { cursor, ...query }, res }) => {
      const before = pageStart(cursor);
      const key = await keyOf(res, operator);
      if (key === undefined) return noOperator();
      const page = { ...query, operatorID: key.operatorID, before };
      const { grants, next } = await listGrants(db, page);
      return ok({ items: grants, cursor: next === undefined ? null : writeCursor(next) });
    },

    giveGrants: async ({ params: { operator }, body: { newPlayers, ...request }, res }) => {
      const key = await keyOf(res, operator);
      if (key === undefined) return noOperator();
      const given = await giveGrants(db, { ...key, request, onlyKnown: !newPlayers });
      if (!given.ok) return refusal(given);
      const expiresAt = given.grants
        .map((grant) => grant.expiresAt)
        .sort()
        .at(-1) as string;
      return ok({ given: given.grants.length, expiresAt });
    },

    cancelGrant: async ({ params: { operator, grantID }, body: { reason }, res }) => {
      const key = await keyOf(res, operator);
      if (key === undefined) return notFoundResponse('there is no such grant');
      const cancelled = await cancelGrant(db, { ...key, grantID, reason });
      return cancelled.ok ? ok(cancelled.grant) : refusal(cancelled);
    },
  };
}

function campaignOnWire({ rowID: _row, operatorCode, ...head }: CampaignHead): AdminCampaign {
  const { startsAt, endsAt, playWithinHours, createdAt, cancelledAt, ...terms } = head;
  return {
    ...terms,
    operator: operatorCode,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...(playWithinHours !== null && { playWithinHours }),
    state: cancelledAt === null ? 'open' : 'cancelled',
    createdAt: createdAt.toISOString(),
  };
}

function progressOnWire({ currency, ...sums }: Progress): CampaignProgress {
  const { grants, given, used, left, expired, cancelled, openRounds, ...amounts } = sums;
  return {
    currency,
    ...mapped({ grants, given, used, left, expired, cancelled, openRounds }, Number),
    ...mapped(amounts, String),
  };
}

function priceOnWire({ currency, cost, liability }: GrantPrice) {
  return { currency, cost: String(cost), liability: String(liability) };
}

function mapped<Name extends string, Value>(values: Record<Name, bigint>, write: (value: bigint) => Value) {
  const entries = Object.entries<bigint>(values).map(([name, value]) => [name, write(value)]);
  return Object.fromEntries(entries) as Record<Name, Value>;
}

/** @throws InvalidRequest when it names a field, so that the form shows it there. */
function refusal({ refusal, detail, ...refused }: FreeRoundsRefused | Elsewhere) {
  const { field, text = '' } = ('issue' in refused && refused.issue) || {};
  if (field !== undefined) throw new InvalidRequest(detail, { [field]: text });
  return refusal === 'unknown' ? notFoundResponse(detail) : errorResponse('ERR_VAL', detail);
}

function noOperator() {
  return notFoundResponse('there is no such operator');
}
