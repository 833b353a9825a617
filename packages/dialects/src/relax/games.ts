import type { Micros } from '@roundhouse/contract';
import type { InboundResponse } from '../dialect.ts';
import { type Asked, respond } from './inbound.ts';

export async function listGames({ connection, server, body: { currency: code } }: Asked): Promise<InboundResponse> {
  const { settings } = connection;
  const { currency, scale } = code ? connection.currencyByCode(code) : connection.currency(settings.defaultCurrency);
  const facts = { studio: settings.studioName, channels: ['web', 'mobile'], category: 'slot' };
  const offered = (await server.games()).filter(({ currencies }) => currencies.includes(currency));
  const games = offered.map(({ gameID, title: name, betLevels: { [currency]: levels = [] } }) => {
    const sizes = levels.map((level) => scale.write(level as Micros)).filter((size) => size !== undefined);
    return { gameref: connection.gamerefOf(gameID), name, legalbetsizes: sizes.map(Number), ...facts };
  });
  return respond({ games });
}
