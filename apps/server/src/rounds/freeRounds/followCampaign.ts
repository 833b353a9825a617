import type { FreeRoundTerms } from '@roundhouse/contract';
import { type Database, databaseClock } from '../../store/database/database.ts';
import { type CampaignHead, listCampaignHeads, sumGrants } from '../../store/rounds/campaigns.ts';
import { findModePrice, type ModePrice } from '../../store/rounds/games.ts';
import { type GrantPrice, type Progress, priceProgress, priceTerms } from './price.ts';
import { type Asking, type FreeRoundsRefused, judgeTerms, storedTerms } from './terms.ts';

/**
 * `progress` has an entry for each currency with a grant. `perGrant` is what a further player gets.
 */
export type FollowedCampaign = { head: CampaignHead; progress: Progress[]; perGrant: GrantPrice[] };

/** A mode without a stored table has no price: it cannot be played. */
const NO_PRICE: ModePrice = { cost: '0', maxPayout: 0n };

/** Returns undefined when the operator has no such campaign. */
export async function followCampaign(
  db: Database,
  key: { operatorID: number; campaignID: string },
): Promise<FollowedCampaign | undefined> {
  const [head] = await listCampaignHeads(db, { ...key, limit: 1 });
  if (head === undefined) return undefined;
  const price = (await findModePrice(db, head)) ?? NO_PRICE;
  const sums = await sumGrants(db, head.rowID);
  const progress = sums.map((each) => priceProgress(each, { bets: head.bets, price }));
  return { head, progress, perGrant: priceTerms(head, price) };
}

/** Judges terms as `createCampaign` does, and returns what they give to one player. */
export async function judgeAndPrice(
  db: Database,
  { request, ...asking }: Asking & { request: FreeRoundTerms },
): Promise<{ ok: true; perGrant: GrantPrice[] } | FreeRoundsRefused> {
  const now = await databaseClock(db);
  const terms = storedTerms(request, now);
  const judged = await judgeTerms(db, { ...asking, terms, now });
  if (!judged.ok) return judged;
  return { ok: true, perGrant: priceTerms(terms, (await findModePrice(db, terms)) ?? NO_PRICE) };
}
