import type { InboundResponse } from '../dialect.ts';
import { type Asked, respond } from './inbound.ts';

export async function listGames({ connection, server }: Asked): Promise<InboundResponse> {
  const { teamID: id, publisher: name } = connection.settings;
  const games = (await server.games()).map(({ gameID, title, thumbnail, rtp }) => ({
    id: connection.gameTheirs(gameID),
    name: title,
    ...(thumbnail !== undefined && { image: thumbnail }),
    rtp,
    publisher: { id, name },
  }));
  return respond(games);
}
