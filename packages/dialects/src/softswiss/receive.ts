import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { parseJson } from '../parseJson.ts';
import { cancelFreeRounds, issueFreeRounds } from './freeRounds.ts';
import { type Asked, refuse } from './inbound.ts';
import { launch, launchDemo } from './launch.ts';
import type { Connection } from './settings.ts';
import { isSignedWith, SIGNATURE_HEADER } from './signature.ts';

const HANDLERS: Readonly<Record<string, (asked: Asked) => Promise<InboundResponse>>> = {
  'Launcher/Real': launch,
  'Launcher/Demo': launchDemo,
  'Freespins/Issue': issueFreeRounds,
  'Freespins/Cancel': cancelFreeRounds,
};

const NO_ROUTE = refuse('there is no such method', { status: 404, code: 'bad_route', apiCode: '404' });
const DENIED = refuse('the signature is not valid', { status: 403, code: 'permission_denied', apiCode: '403' });

/**
 * Responds to the aggregator. Only a request that a token of the settings signs gets to the server.
 */
export async function receive(
  connection: Connection,
  { method, path, headers, body: bytes }: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const [, rpc = ''] = /^\/v2\/a8r_provider\.(.+)$/.exec(path) ?? [];
  const handle = Object.hasOwn(HANDLERS, rpc) ? HANDLERS[rpc] : undefined;
  if (handle === undefined || method !== 'POST') return NO_ROUTE;
  const { casinos } = connection.settings;
  const signature = headers[SIGNATURE_HEADER];
  const signers = casinos.filter(({ token }) => isSignedWith(token, { body: bytes, signature }));
  if (signers.length === 0) return { ...DENIED, refused: 'signature' };
  const body: Record<string, unknown> = { ...(parseJson(bytes.toString()) as object) };
  const casino = signers.find(({ id }) => id === body.casino_id);
  if (casino !== undefined) return handle({ connection, casino, server, body });
  const isKnown = casinos.some(({ id }) => id === body.casino_id);
  return { ...DENIED, refused: isKnown ? 'signature' : 'partner' };
}
