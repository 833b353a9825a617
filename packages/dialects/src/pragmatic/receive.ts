import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { cancelFreeRounds, createFreeRounds, listFreeRounds } from './freeRounds.ts';
import { listBets, listGames } from './games.ts';
import { type Asked, refuse } from './inbound.ts';
import { launch } from './launch.ts';
import type { Connection } from './settings.ts';
import { hashOf, readForm } from './signature.ts';

type Handler = (asked: Asked) => Promise<InboundResponse>;

/** hasJson: the parameters are in the query, and the body is JSON, which the hash leaves out. */
const HANDLERS: Readonly<Record<string, { handle: Handler; hasJson?: true }>> = {
  'CasinoGameAPI/game/url': { handle: launch },
  'CasinoGameAPI/getCasinoGames': { handle: listGames },
  'CasinoGameAPI/getBetScales': { handle: listBets },
  'FreeRoundsBonusAPI/v2/bonus/player/create': { handle: createFreeRounds, hasJson: true },
  'FreeRoundsBonusAPI/v2/bonus/cancel': { handle: cancelFreeRounds },
  'FreeRoundsBonusAPI/cancelFRB': { handle: cancelFreeRounds },
  'FreeRoundsBonusAPI/getPlayersFRB': { handle: listFreeRounds },
};
const PATH = /^(?:\/IntegrationService\/v3)?(?:\/http)?\/([A-Za-z0-9/]+?)\/?(?:\?(.*))?$/;

/** Responds to the requests that an operator sends to its supplier. */
export async function receive(
  connection: Connection,
  request: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const { secureLogin, secret } = connection.settings;
  const body = String(request.body);
  const [, path = '', query = ''] = PATH.exec(request.path) ?? [];
  const found = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  if (found === undefined || request.method !== 'POST') return refuse('parameters', 'there is no such request');
  const form = readForm(query, found.hasJson ? '' : body);
  if (form === undefined) return refuse('parameters', 'a parameter is there twice, or there are more than 200');
  if (!isSameText(form.secureLogin ?? '', secureLogin))
    return { ...refuse('unsigned', 'the login is not known'), refused: 'partner' };
  if (!isSameText(form.hash?.toLowerCase() ?? '', hashOf(form, secret)))
    return { ...refuse('unsigned', 'the hash is wrong'), refused: 'signature' };
  return found.handle({ connection, server, form, body });
}
