import type { CurrencyCode, Micros } from '@roundhouse/contract';
import type { InboundResponse } from '../dialect.ts';
import { decimalText } from '../money.ts';
import { type Asked, respond } from './inbound.ts';

export async function listGames({ server }: Asked): Promise<InboundResponse> {
  const gameList = (await server.games()).map(({ gameID, title }) => ({
    gameID,
    gameName: title,
    gameTypeID: 'vs',
    typeDescription: 'Video Slots',
    dataType: 'RNG',
    technology: 'html5',
    technologyID: 'H5',
    platform: 'MOBILE,WEB',
    variableFrbAvailable: true,
  }));
  return respond({ gameList });
}

/** Lists the bets that free rounds may have. Both parameters are lists with commas. */
export async function listBets({ connection, server, form: { gameIDs, currencies } }: Asked): Promise<InboundResponse> {
  const isIn = (list: string | undefined, value: string) => list?.split(',').includes(value) ?? true;
  const scaleOf = ([ours, levels]: [CurrencyCode, readonly number[]]) => {
    const { code: currency, scale, decimals } = connection.currency(ours);
    const written = levels.map((level) => scale.write(level as Micros)).filter((value) => value !== undefined);
    return { currency, totalBetScales: written.map((value) => decimalText(value, decimals)) };
  };
  const games = (await server.games()).filter(({ gameID }) => isIn(gameIDs, gameID));
  const gameList = games.map(({ gameID, betLevels }) => {
    const betScaleList = Object.entries(betLevels).map(scaleOf);
    return { gameID, betScaleList: betScaleList.filter(({ currency }) => isIn(currencies, currency)) };
  });
  return respond({ gameList });
}
