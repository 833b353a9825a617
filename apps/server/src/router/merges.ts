import {
  type Campaign,
  listCampaignsQuerySchema,
  listGrantChangesQuerySchema,
  listGrantsQuerySchema,
  listRoundsQuerySchema,
} from '@roundhouse/contract';
import {
  type Cell,
  CURSORS_HEADER,
  type CursorParts,
  idOf,
  readFleetCursor,
  writeFleetCursor,
} from '@roundhouse/fleet';
import type { Answered } from './askAll.ts';
import { jsonObjectIn } from './jsonObject.ts';
import { type CampaignPage, mergeCampaign, mergeCampaignPages } from './mergeCampaigns.ts';
import { type CellPage, mergePages, type PageRule } from './mergePages.ts';

type Merging = {
  cells: readonly Cell[];
  query: Readonly<Record<string, unknown>>;
  now: Date;
};

/** passed: the response of one cell is used for all. differs: the cells do not say the same. */
type Merged =
  | { kind: 'merged'; body: object }
  | { kind: 'passed'; response: Answered }
  | { kind: 'differs'; message: string };

/** Makes one body of the responses of all cells: each is 200, or 404 where the route allows it. */
export type Merge = (answers: readonly Answered[], merging: Merging) => Merged;

const ROUNDS: PageRule = { rows: 'rounds', idOf: ({ betID }) => betID, order: { kind: 'newestFirst', at: 'openedAt' } };
const GRANTS: PageRule = {
  rows: 'grants',
  idOf: ({ grantID }) => grantID,
  order: { kind: 'newestFirst', at: 'createdAt' },
};
const CHANGES: PageRule = { ...GRANTS, order: { kind: 'byTurns' } };

export const mergeRounds = listOf(ROUNDS, listRoundsQuerySchema.shape.limit);
export const mergeGrants = listOf(GRANTS, listGrantsQuerySchema.shape.limit);
export const mergeChanges = listOf(CHANGES, listGrantChangesQuerySchema.shape.limit);

type LimitSchema = { parse(value: unknown): number };

function listOf(rule: PageRule, limitSchema: LimitSchema): Merge {
  return (answers, { cells, query }) => {
    const pages = readPages(answers, rule.rows);
    if ('message' in pages) return { kind: 'differs', message: pages.message };
    const sent = sentCursor(query, cells);
    return { kind: 'merged', body: mergePages(pages.pages, { rule, sent, limit: limitSchema.parse(query.limit) }) };
  };
}

export const mergeCampaignList: Merge = (answers, { cells, query, now }) => {
  const read = readPages(answers, 'campaigns');
  if ('message' in read) return { kind: 'differs', message: read.message };
  const pages = read.pages.map(({ rows, ...page }) => ({ ...page, campaigns: rows as unknown as Campaign[] }));
  const limit = listCampaignsQuerySchema.shape.limit.parse(query.limit);
  const merged = mergeCampaignPages(pages, { limit, now });
  if (!merged.ok) return { kind: 'differs', message: merged.message };
  const { campaigns, taken } = merged;
  const cursor = nextOfCampaigns(pages, taken, sentCursor(query, cells));
  return { kind: 'merged', body: { campaigns, cursor } };
};

function nextOfCampaigns(pages: readonly CampaignPage[], taken: readonly number[], sent: CursorParts): string | null {
  const isOver = pages.every(({ campaigns, next }, at) => next === null && taken[at] === campaigns.length);
  if (isOver) return null;
  const parts = new Map(sent);
  for (const [at, { cell, cursors }] of pages.entries()) {
    const part = cursors[(taken[at] as number) - 1];
    if (part !== undefined) parts.set(idOf(cell), part);
  }
  return writeFleetCursor(parts);
}

/** Merges the responses to a read campaign. They become 404 if no cell has it. */
export const mergeOneCampaign: Merge = (answers, { now }) => {
  const [first] = answers;
  if (first !== undefined && answers.every(({ status }) => status === 404)) return { kind: 'passed', response: first };
  const found = answers.map((answer) => ({
    cell: answer.cell,
    campaign: answer.status === 404 ? undefined : (jsonObjectIn(answer.bytes) as unknown as Campaign),
  }));
  const merged = mergeCampaign(found, now);
  return merged.ok ? { kind: 'merged', body: merged.campaign } : { kind: 'differs', message: merged.message };
};

/**
 * Merges the responses about a campaign that was cancelled where it exists: cells without it say
 * nothing.
 */
export const mergeCancelled: Merge = (answers, merging) => {
  const known = answers.filter(({ status }) => status === 200);
  return mergeOneCampaign(known.length > 0 ? known : answers, merging);
};

type Read = { pages: CellPage[] } | { message: string };

function readPages(answers: readonly Answered[], rows: string): Read {
  const pages: CellPage[] = [];
  for (const answer of answers) {
    const page = pageOf(answer, rows);
    if (page === undefined) {
      return { message: `cell ${answer.cell.name} responds with no list of ${rows} that has a cursor for each row` };
    }
    pages.push(page);
  }
  return { pages };
}

function pageOf(answer: Answered, name: string): CellPage | undefined {
  const { [name]: rows, cursor = null } = jsonObjectIn(answer.bytes) ?? {};
  const text = String(answer.headers[CURSORS_HEADER] ?? '');
  const cursors = text === '' ? [] : text.split(',').map((each) => each.trim());
  const isCursor = cursor === null || typeof cursor === 'string';
  if (!Array.isArray(rows) || rows.length !== cursors.length || !isCursor) return undefined;
  return { cell: answer.cell, rows, cursors, next: cursor };
}

/** A plain cursor is of a time with one cell, which is the first one for ever. */
function sentCursor({ cursor }: Merging['query'], [first]: readonly Cell[]): CursorParts {
  if (typeof cursor !== 'string') return new Map();
  return readFleetCursor(cursor) ?? new Map(first === undefined ? [] : [[idOf(first), cursor]]);
}
