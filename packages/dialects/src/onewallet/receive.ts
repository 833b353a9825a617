import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { parseJson } from '../parseJson.ts';
import { refuse } from './inbound.ts';
import { enter, launch } from './launch.ts';
import type { Connection } from './settings.ts';

/** Responds to the operator: a launch, and the entry to which its player is sent. */
export async function receive(
  connection: Connection,
  { method, path, body }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const { casinoKey, apiToken } = connection.settings;
  if (method === 'GET' && path.startsWith('/entry?')) return enter(path, apiToken);
  const [, casino, token] = /^\/ua\/v1\/([^/?]+)\/([^/?]+)$/.exec(path) ?? [];
  if (method !== 'POST' || casino === undefined || token === undefined)
    return refuse(404, 'G.0', 'there is no such service');
  const isTrusted = isSameText(token, apiToken);
  if (!isSameText(casino, casinoKey)) return { ...refuse(403, 'G.1', 'Unknown casino'), refused: 'partner' };
  if (!isTrusted) return { ...refuse(403, 'G.2', 'Provided api token is incorrect'), refused: 'signature' };
  return launch({ connection, server, body: parseJson(body.toString()) });
}
