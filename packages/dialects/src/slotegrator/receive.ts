import type { DialectServer, InboundRequest, InboundResponse } from '../dialect.ts';
import { isSameText } from '../isSameText.ts';
import { listGames } from './games.ts';
import { type Asked, refuse, respond } from './inbound.ts';
import { launch, launchDemo } from './launch.ts';
import type { Connection } from './settings.ts';
import { type Params, signatureOf } from './signature.ts';

const HANDLERS: Readonly<Record<string, (asked: Asked) => Promise<InboundResponse>>> = {
  'GET /games': listGames,
  'GET /limits': async () => respond([]),
  'POST /games/init': launch,
  'POST /games/init-demo': launchDemo,
};

/** Their signature sorts them: thousands would take the time of a hundred launches. */
const MAX_PARAMS = 200;

/** Responds to the requests that an operator sends to its game aggregator. */
export async function receive(
  connection: Connection,
  request: InboundRequest,
  server: DialectServer,
): Promise<InboundResponse> {
  const [path = '', query = ''] = request.path.split('?', 2);
  const text = request.method === 'GET' ? query : String(request.body);
  if (countParams(text) > MAX_PARAMS)
    return { ...refuse(401, `more than ${MAX_PARAMS} parameters`), refused: 'signature' };
  const sent: Params = [...new URLSearchParams(text)];
  const issue = await issueOf(connection, { request, server, sent });
  if (issue !== undefined) return issue;
  const name = `${request.method} ${path}`;
  const handle = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
  if (handle === undefined) return refuse(404, 'there is no such request here');
  const params = Object.fromEntries(sent.filter(([, value]) => value !== ''));
  return handle({ connection, server, params });
}

function countParams(text: string): number {
  return text === '' ? 0 : text.split('&', MAX_PARAMS + 1).length;
}

type Unchecked = { request: InboundRequest; server: DialectServer; sent: Params };

/** A time stamp differs from this server's clock by at most this. */
const WINDOW_SECONDS = 30;

/** Anybody may resend a recorded request, so one that can change something passes once. */
async function issueOf(
  { settings }: Connection,
  { request: { headers, method }, server, sent }: Unchecked,
): Promise<InboundResponse | undefined> {
  const header = (name: string) => String(headers[name] ?? '');
  const [merchant, timestamp, nonce] = [header('x-merchant-id'), header('x-timestamp'), header('x-nonce')];
  const unsigned = (message: string): InboundResponse => ({ ...refuse(401, message), refused: 'signature' });
  if (!isSameText(merchant, settings.merchantID))
    return { ...refuse(401, 'X-Merchant-Id: is not known'), refused: 'partner' };
  if (!/^[0-9a-f]{40}$/.test(header('x-sign'))) return unsigned('X-Sign: is wrong');
  const expected = signatureOf(sent, { merchant, timestamp, nonce }, settings.merchantKey);
  if (!isSameText(header('x-sign'), expected)) return unsigned('X-Sign: is wrong');
  const aheadSeconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) - Date.now() / 1000 : Number.NaN;
  if (!(Math.abs(aheadSeconds) <= WINDOW_SECONDS)) return unsigned('X-Timestamp: is expired');
  if (!/^[\x21-\x7e]{1,128}$/.test(nonce)) return unsigned('X-Nonce: must have 1 to 128 characters');
  const isNew = method === 'GET' || (await server.takeNonce(nonce));
  return isNew ? undefined : unsigned('X-Nonce: was used before');
}
