import type { Campaign } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { mergeCampaign, mergeCampaignPages } from './mergeCampaigns.ts';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const OVER = '2026-05-01T00:00:00.000Z';

const cellOf = (id: number) => ({ name: `eu-${id}`, numbers: [id], url: `http://eu-${id}` });

function campaignOf(campaignID: string, more: Partial<Campaign> = {}): Campaign {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const terms = {
    gameIDs: ['g'],
    mode: 'BASE',
    bets: { USD: 1_000_000 },
    rounds: 10,
    automatic: false,
    paidAtEnd: false,
  };
  const counters = { grants: 1, used: 2, left: 3 };
  const times = { createdAt, startsAt: createdAt, endsAt: '2026-12-01T00:00:00.000Z' };
  return { campaignID, ...terms, ...times, state: 'open', ...counters, ...more } as Campaign;
}

const found = (...campaigns: (Campaign | undefined)[]) =>
  campaigns.map((campaign, at) => ({ cell: cellOf(at + 1), campaign }));

describe('mergeCampaign', () => {
  it('sums the counters exactly', () => {
    const large = 9_007_199_254_740_000;
    const merged = mergeCampaign(found(campaignOf('c', { used: large }), campaignOf('c', { used: 991 })), NOW);
    expect(merged).toEqual({ ok: true, campaign: campaignOf('c', { grants: 2, used: large + 991, left: 6 }) });
  });

  it('begins with the last cell when it begins at its creation, and was created with the first one', () => {
    const later = '2026-01-01T00:00:00.250Z';
    const merged = mergeCampaign(found(campaignOf('c', { createdAt: later, startsAt: later }), campaignOf('c')), NOW);
    expect(merged).toMatchObject({ campaign: { createdAt: '2026-01-01T00:00:00.000Z', startsAt: later } });
  });

  it.each([
    ['other rounds', campaignOf('c', { rounds: 11 }), /eu-1 and cell eu-2 have different/],
    ['another bet', campaignOf('c', { bets: { USD: 2_000_000 } }), /different/],
    ['another start', campaignOf('c', { startsAt: '2026-02-01T00:00:00.000Z' }), /different/],
    ['another state', campaignOf('c', { state: 'cancelled' }), /cancelled in cell eu-2 and open in cell eu-1/],
    ['no such campaign', undefined, /cell eu-2 does not have it, cell eu-1 has/],
  ])('is refused when a cell has %s', (_what, other, message) => {
    const merged = mergeCampaign(found(campaignOf('c'), other), NOW);
    expect(merged).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it.each<[string, Partial<Campaign>]>([
    ['cancelled', { state: 'cancelled' }],
    ['over', { endsAt: OVER }],
  ])('that is %s may be missing in a cell that came later', (_why, more) => {
    const campaign = campaignOf('c', more);
    expect(mergeCampaign(found(campaign, undefined), NOW)).toEqual({ ok: true, campaign });
  });
});

describe('mergeCampaignPages', () => {
  const pageOf = (
    id: number,
    ids: string[],
    { next = null, over = false }: { next?: string | null; over?: boolean } = {},
  ) => ({
    cell: cellOf(id),
    campaigns: ids.map((each) => campaignOf(each, over ? { endsAt: OVER } : {})),
    cursors: ids,
    next,
  });
  const idsOf = (merged: ReturnType<typeof mergeCampaignPages>) =>
    merged.ok ? [merged.campaigns.map(({ campaignID }) => campaignID), merged.taken] : merged.message;
  const merge = (pages: ReturnType<typeof pageOf>[], limit = 10) =>
    idsOf(mergeCampaignPages(pages, { limit, now: NOW }));

  it('takes the campaigns of all cells, as many as the limit', () => {
    const pages = [pageOf(1, ['c', 'b', 'a']), pageOf(2, ['c', 'b', 'a'])];
    expect(merge(pages)).toEqual([
      ['c', 'b', 'a'],
      [3, 3],
    ]);
    expect(merge(pages, 2)).toEqual([
      ['c', 'b'],
      [2, 2],
    ]);
  });

  it('takes those together that two cells have in another order', () => {
    const pages = [pageOf(1, ['d', 'b', 'c', 'a']), pageOf(2, ['d', 'c', 'b', 'a'])];
    expect(merge(pages, 2)).toEqual([['d'], [1, 1]]);
    expect(merge(pages, 3)).toEqual([
      ['d', 'b', 'c'],
      [3, 3],
    ]);
  });

  it('ends before a campaign whose row of another cell is on a later page', () => {
    expect(merge([pageOf(1, ['c', 'b'], { next: 'b' }), pageOf(2, ['c', 'x'], { next: 'x' })])).toEqual([
      ['c'],
      [1, 1],
    ]);
  });

  it('is refused when no page can be made', () => {
    expect(merge([pageOf(1, ['c'], { next: 'c' }), pageOf(2, ['b'], { next: 'b' })])).toMatch(/limit=1000/);
    expect(merge([pageOf(1, ['b', 'a']), pageOf(2, ['a', 'b'])], 1)).toMatch(/limit=1000/);
  });

  it('refuses a list in which a campaign that goes on is missing in a cell', () => {
    expect(merge([pageOf(1, ['b', 'a']), pageOf(2, ['b'])])).toMatch(/campaign a: cell eu-2 does not have it/);
  });

  it('shows campaigns that are over and that a later cell does not have', () => {
    const pages = [pageOf(1, ['b', 'a'], { over: true }), pageOf(2, ['b'], { over: true })];
    expect(merge(pages)).toEqual([
      ['b', 'a'],
      [2, 1],
    ]);
  });

  it('is empty where no cell has a campaign', () => {
    expect(merge([pageOf(1, []), pageOf(2, [])])).toEqual([[], [0, 0]]);
  });
});
