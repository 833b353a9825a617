import type { InboundResponse } from '../dialect.ts';
import { type Asked, respond } from './inbound.ts';

export async function listGames({ connection, server }: Asked): Promise<InboundResponse> {
  const { product } = connection.settings;
  const games = (await server.games()).map(({ gameID, title, thumbnail = '' }) => ({
    game_code: gameID,
    name: title,
    category: 'Video Slots',
    product,
    platforms: ['GPL_DESKTOP', 'GPL_MOBILE'],
    url_thumb: thumbnail,
    url_background: thumbnail,
    enabled: true,
    freebet_support: true,
    blocked_countries: [],
  }));
  return respond(games);
}
