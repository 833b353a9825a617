import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { parseJson } from '../parseJson.ts';
import { listGames } from './games.ts';
import { type Asked, refuse } from './inbound.ts';
import { launch, launchDemo } from './launch.ts';
import type { Connection } from './settings.ts';
import { SIGNATURE_HEADER } from './signature.ts';

const HANDLERS: Readonly<Record<string, (asked: Asked) => Promise<InboundResponse>>> = {
  'POST /game/url': launch,
  'POST /game/url/demo': launchDemo,
  'GET /game/list': listGames,
};

/** Responds to the requests of the operator. Only a signed one gets to the server. */
export async function receive(
  connection: Connection,
  { method, path, headers, body }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  if (!isSameText(String(headers['x-operator'] ?? ''), connection.settings.operator))
    return { ...refuse(401, 'X-Operator: is not known'), refused: 'partner' };
  if (!connection.isSigned(body, headers[SIGNATURE_HEADER]))
    return { ...refuse(401, 'X-Signature: is wrong'), refused: 'signature' };
  const name = `${method} ${path.split('?', 1)[0]}`;
  const handle = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (handle === undefined) return refuse(404, 'there is no such request here');
  return handle({ connection, server, body: parseJson(body.toString()) });
}
