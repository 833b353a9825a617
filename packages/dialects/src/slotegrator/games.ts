import * as z from 'zod';
import type { DialectGame, InboundResponse } from '../dialect.ts';
import { type Asked, invalid, respond } from './inbound.ts';
import type { Connection } from './settings.ts';

const MAX_PER_PAGE = 50;
const pageSchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  'per-page': z.coerce.number().int().default(20),
});
const FILTERS = ['provider', 'is_mobile', 'has_freespins'];

/** A page behind the last one is the last one. */
export async function listGames({ connection, server, params }: Asked): Promise<InboundResponse> {
  const { data, error } = pageSchema.safeParse(params);
  if (error) return invalid(error);
  const expanded = (params.expand ?? '').split(',');
  const filters = FILTERS.filter((field) => params[`filter[${field}]`] !== undefined);
  const all = (await server.games())
    .map((game) => itemOf(game, connection, expanded))
    .filter((item) => filters.every((field) => String(item[field]) === params[`filter[${field}]`]));
  const perPage = Math.min(Math.max(data['per-page'], 1), MAX_PER_PAGE);
  const pageCount = Math.ceil(all.length / perPage);
  const currentPage = Math.min(data.page, Math.max(pageCount, 1));
  const meta = { totalCount: all.length, pageCount, currentPage, perPage };
  const items = all.slice((currentPage - 1) * perPage, currentPage * perPage);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Pagination-Total-Count': String(all.length),
    'X-Pagination-Page-Count': String(pageCount),
    'X-Pagination-Current-Page': String(currentPage),
    'X-Pagination-Per-Page': String(perPage),
  };
  return { ...respond({ items, _meta: meta }), headers };
}

function itemOf(
  { gameID, title, thumbnail }: DialectGame,
  { settings: { provider, providerID } }: Connection,
  expanded: readonly string[],
): Readonly<Record<string, unknown>> {
  const image = thumbnail ?? '';
  const file = image.split('/').at(-1) ?? '';
  return {
    uuid: gameID,
    name: title,
    image,
    type: 'slots',
    provider,
    provider_id: providerID,
    technology: 'html5',
    has_lobby: 0,
    is_mobile: 0,
    has_freespins: 0,
    has_tables: 0,
    freespin_valid_until_full_day: 0,
    label: provider,
    ...(expanded.includes('tags') && { tags: [] }),
    ...(expanded.includes('related_games') && { related_games: [] }),
    ...(expanded.includes('images') && { images: image ? [{ name: file, file, url: image, type: 'regular' }] : [] }),
  };
}
