import { isDeepStrictEqual } from 'node:util';
import { type Campaign, type CreateCampaignRequest, isStorableText } from '@roundhouse/contract';
import { type Database, databaseClock } from '../../store/database/database.ts';
import {
  findCampaign,
  insertCampaign,
  listCampaignRows,
  markCampaignCancelled,
  openGrantsOfCampaign,
  type StoredCampaign,
  type StoredTerms,
} from '../../store/rounds/campaigns.ts';
import { cancelGrantRows } from '../../store/rounds/grants.ts';
import { actAs, recordEvent } from '../../store/watch/significantEvents.ts';
import { type Asking, type FreeRoundsRefused, invalid, judgeTerms, type OperatorKey, storedTerms } from './terms.ts';

export type CampaignOutcome = { ok: true; campaign: Campaign } | FreeRoundsRefused;

export type CampaignKey = OperatorKey & { campaignID: string };

/** The largest number of grants whose accounts one transaction locks. */
const GRANTS_PER_TRANSACTION = 500;

/** Creates a campaign. The same request again returns the campaign as it is now. */
export async function createCampaign(
  db: Database,
  { request, ...asking }: Asking & { request: CreateCampaignRequest },
): Promise<CampaignOutcome> {
  const { operatorID, actor } = asking;
  const { campaignID } = request;
  const now = await databaseClock(db);
  const known = await findCampaign(db, { operatorID, campaignID });
  if (known !== undefined) return repeated(known, request);
  const terms = storedTerms(request, now);
  const judged = await judgeTerms(db, { ...asking, terms, now });
  if (!judged.ok) return judged;
  const { gameRowIDs } = judged;
  await db.$transaction(async (tx) => {
    if (actor !== undefined) await actAs(tx, actor);
    if (!(await insertCampaign(tx, { operatorID, campaignID, terms, gameRowIDs, now }))) return;
    await recordEvent(tx, { kind: 'campaign_created', subject: subjectOf(request, asking), after: termsOnWire(terms) });
  });
  // Another request may have created it meanwhile.
  const stored = await findCampaign(db, { operatorID, campaignID });
  if (stored === undefined) throw new Error('the campaign is not there after it was stored');
  return repeated(stored, request);
}

function subjectOf({ campaignID }: { campaignID: string }, { operatorCode }: OperatorKey): string {
  return `campaign ${campaignID} of operator ${operatorCode}`;
}

function repeated(stored: StoredCampaign, request: CreateCampaignRequest): CampaignOutcome {
  const { gameIDs, mode, bets, rounds, startsAt, endsAt, playWithinHours, automatic, paidAtEnd } = stored;
  const terms = { gameIDs, mode, bets, rounds, startsAt, endsAt, playWithinHours, automatic, paidAtEnd };
  return isDeepStrictEqual(terms, storedTerms(request, stored.createdAt))
    ? { ok: true, campaign: campaignOnWire(stored) }
    : invalid({ field: 'campaignID', text: `${request.campaignID} was used for another campaign` });
}

/** The next page begins before the row `next`; undefined on the last page. */
export async function listCampaigns(
  db: Database,
  page: { operatorID: number; before: number | undefined; limit: number },
): Promise<{ campaigns: Campaign[]; rowIDs: number[]; next: number | undefined }> {
  const rows = await listCampaignRows(db, { ...page, limit: page.limit + 1 });
  const campaigns = rows.slice(0, page.limit);
  return {
    campaigns: campaigns.map(campaignOnWire),
    rowIDs: campaigns.map(({ rowID }) => rowID),
    next: rows.length > page.limit ? campaigns.at(-1)?.rowID : undefined,
  };
}

export async function readCampaign(db: Database, key: CampaignKey): Promise<CampaignOutcome> {
  const found = isStorableText(key.campaignID) ? await findCampaign(db, key) : undefined;
  return found === undefined ? noSuchCampaign() : { ok: true, campaign: campaignOnWire(found) };
}

/**
 * Cancels a campaign: it gives no more grants, and the unused rounds of its grants are
 * cancelled. A repeated request continues where another one was interrupted.
 */
export async function cancelCampaign(
  db: Database,
  { reason, ...key }: CampaignKey & { reason?: string | undefined },
): Promise<CampaignOutcome> {
  const { campaignID, actor } = key;
  const found = isStorableText(campaignID) ? await findCampaign(db, key) : undefined;
  if (found === undefined) return noSuchCampaign();
  const { rowID } = found;
  await db.$transaction(async (tx) => {
    if (actor !== undefined) await actAs(tx, actor);
    if (!(await markCampaignCancelled(tx, rowID))) return;
    await recordEvent(tx, { kind: 'campaign_cancelled', subject: subjectOf(key, key), after: { reason } });
  });
  for (let after = 0n; ; ) {
    const grants = await openGrantsOfCampaign(db, { rowID, after, limit: GRANTS_PER_TRANSACTION });
    const last = grants.at(-1);
    if (last === undefined) return readCampaign(db, key);
    await cancelGrantRows(db, grants);
    after = last;
  }
}

export function noSuchCampaign(): FreeRoundsRefused {
  return { ok: false, refusal: 'unknown', detail: 'there is no such campaign of this operator' };
}

function termsOnWire({ startsAt, endsAt, playWithinHours, ...terms }: StoredTerms) {
  return {
    ...terms,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...(playWithinHours !== null && { playWithinHours }),
  };
}

function campaignOnWire({ rowID: _row, cancelledAt, createdAt, ...campaign }: StoredCampaign): Campaign {
  const { campaignID, grants, used, left, ...terms } = campaign;
  return {
    campaignID,
    ...termsOnWire(terms),
    state: cancelledAt === null ? 'open' : 'cancelled',
    createdAt: createdAt.toISOString(),
    grants,
    used,
    left,
  };
}
