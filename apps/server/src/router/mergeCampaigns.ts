import { isDeepStrictEqual } from 'node:util';
import type { Campaign } from '@roundhouse/contract';
import type { Cell } from '@roundhouse/fleet';

/** What a cell says about a campaign; undefined: it has no such campaign. */
export type CellCampaign = { cell: Cell; campaign: Campaign | undefined };

export type MergedCampaign = { ok: true; campaign: Campaign } | { ok: false; message: string };

const COUNTERS = ['grants', 'used', 'left'] as const;

/**
 * Returns the campaign of a whole fleet: its counters are the exact sums. A campaign that is not
 * the same in all cells is refused, because players of some cells would not get what it says. Only
 * one that is over may be missing in a cell, which has then come later: nobody got a grant of it
 * there.
 */
export function mergeCampaign(found: readonly CellCampaign[], now: Date): MergedCampaign {
  const known = found.flatMap(({ cell, campaign }) => (campaign === undefined ? [] : [{ cell, campaign }]));
  const [first] = known;
  if (first === undefined) return { ok: false, message: 'there is no such campaign' };
  const { campaignID } = first.campaign;
  const no = (message: string): MergedCampaign => ({ ok: false, message: `campaign ${campaignID}: ${message}` });
  const other = known.find(({ campaign }) => !isDeepStrictEqual(termsOf(campaign), termsOf(first.campaign)));
  if (other !== undefined) {
    return no(`cell ${first.cell.name} and cell ${other.cell.name} have different campaigns of this campaignID`);
  }
  const cancelled = known.filter(({ campaign }) => campaign.state === 'cancelled');
  const [open] = known.filter(({ campaign }) => campaign.state === 'open');
  if (cancelled[0] !== undefined && open !== undefined) {
    return no(`it is cancelled in cell ${cancelled[0].cell.name} and open in cell ${open.cell.name}: cancel it again`);
  }
  const missing = found.filter(({ campaign }) => campaign === undefined).map(({ cell }) => cell.name);
  const isOver = open === undefined || Date.parse(first.campaign.endsAt) <= now.getTime();
  if (missing.length > 0 && !isOver) {
    return no(`cell ${missing.join(', ')} does not have it, cell ${first.cell.name} has: create it again`);
  }
  return { ok: true, campaign: summed(known.map(({ campaign }) => campaign)) };
}

/** A campaign without a `startsAt` begins when a cell creates it. */
function termsOf({ createdAt, startsAt, state, grants, used, left, ...terms }: Campaign) {
  return { ...terms, startsAt: startsAt === createdAt ? 'at once' : startsAt };
}

/** The campaign was created with its first cell, and has begun everywhere with its last one. */
function summed(campaigns: readonly Campaign[]): Campaign {
  const [first] = campaigns as [Campaign];
  const sorted = (name: 'createdAt' | 'startsAt') =>
    campaigns.map((campaign) => campaign[name]).sort((one, other) => Date.parse(one) - Date.parse(other));
  const sums = Object.fromEntries(
    COUNTERS.map((name) => [name, campaigns.reduce((sum, campaign) => sum + campaign[name], 0)]),
  ) as Record<(typeof COUNTERS)[number], number>;
  const [createdAt = first.createdAt] = sorted('createdAt');
  return { ...first, createdAt, startsAt: sorted('startsAt').at(-1) ?? first.startsAt, ...sums };
}

/** One cell sends this page, with the cursor after each campaign. */
export type CampaignPage = {
  cell: Cell;
  campaigns: readonly Campaign[];
  cursors: readonly string[];
  next: string | null;
};

export type MergedCampaignPage =
  | {
      ok: true;
      campaigns: Campaign[];
      /** How many rows of each page are in it, in the order of the pages. */
      taken: number[];
    }
  | { ok: false; message: string };

/**
 * Merges one page of each cell. A campaign needs its row of every cell, and cells may have created
 * two campaigns in another order, or one of them later: so the page ends where all cells have shown
 * the same campaigns.
 */
export function mergeCampaignPages(
  pages: readonly CampaignPage[],
  { limit, now }: { limit: number; now: Date },
): MergedCampaignPage {
  const merged: Campaign[] = [];
  let taken = pages.map(() => 0);
  while (merged.length < limit) {
    const block = nextBlock(pages, taken);
    if (block === undefined) break;
    if (merged.length + block.ids.length > limit) break;
    for (const campaignID of block.ids) {
      const found = pages.map(({ cell, campaigns }) => ({
        cell,
        campaign: campaigns.find((each) => each.campaignID === campaignID),
      }));
      const campaign = mergeCampaign(found, now);
      if (!campaign.ok) return campaign;
      merged.push(campaign.campaign);
    }
    taken = block.taken;
  }
  const isStuck = merged.length === 0 && pages.some(({ campaigns }) => campaigns.length > 0);
  if (!isStuck) return { ok: true, campaigns: merged, taken };
  const names = pages.map(({ cell }) => cell.name).join(', ');
  return {
    ok: false,
    message: `cells ${names} list their campaigns in a different order: ask for a larger page, with limit=1000`,
  };
}

/**
 * Returns the fewest next rows by which all cells show the same campaigns. Undefined: there are
 * none on these pages. A campaign is missing in a cell only when the cell has shown its last page.
 */
function nextBlock(
  pages: readonly CampaignPage[],
  from: readonly number[],
): { ids: string[]; taken: number[] } | undefined {
  const taken = [...from];
  const ids = new Set<string>();
  const first = pages.findIndex(({ campaigns }, at) => (from[at] as number) < campaigns.length);
  const head = pages[first]?.campaigns[from[first] as number];
  if (head === undefined) return undefined;
  // Each campaign of the block pulls in all rows before it, of every cell.
  ids.add(head.campaignID);
  for (const id of ids) {
    for (const [at, { campaigns, next }] of pages.entries()) {
      const place = campaigns.findIndex(({ campaignID }) => campaignID === id);
      if (place < 0 && next !== null) return undefined;
      for (let row = taken[at] as number; row <= place; row += 1) ids.add((campaigns[row] as Campaign).campaignID);
      taken[at] = Math.max(taken[at] as number, place + 1);
    }
  }
  return { ids: [...ids], taken };
}
