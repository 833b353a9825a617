import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import { listGames } from './games.ts';
import { type Asked, invalid, refuse, requestSchema } from './inbound.ts';
import { launch } from './launch.ts';
import { showReplay, showState } from './rounds.ts';
import type { Connection } from './settings.ts';

const HANDLERS: Readonly<Record<string, (asked: Asked) => Promise<InboundResponse>>> = {
  '/games/getgames': listGames,
  '/round/getstate': showState,
  '/replay/get': showReplay,
};

/**
 * Responds to the browser of a launch, and to Relax. Only a request of Relax with the password gets
 * to the server.
 */
export async function receive(
  connection: Connection,
  { method, path: url, headers, body: bytes, address }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  if (method === 'GET' && path === '/launcher') return launch({ connection, server, query, address });
  const handle = Object.hasOwn(HANDLERS, path) ? HANDLERS[path] : undefined;
  if (handle === undefined || method !== 'POST') return refuse(404, 'there is no such method');
  if (!connection.isAllowed(address)) return { ...refuse(403, 'this address is not allowed'), refused: 'signature' };
  if (!connection.isAuthorized(headers.authorization))
    return { ...refuse(401, 'the user or password is wrong'), refused: 'signature' };
  const { data: body, error } = requestSchema.safeParse(parseJson(bytes.toString()));
  if (error) return invalid(error);
  if (connection.isPartner(body.credentials.partnerid)) return handle({ connection, server, body });
  return { ...refuse(403, 'the partner is not known'), refused: 'partner' };
}
