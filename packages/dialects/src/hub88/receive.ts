import * as z from 'zod';
import type { DialectConnection, DialectServer, InboundResponse } from '../dialect.ts';
import type { WalletCurrencies } from '../money.ts';
import { parseJson } from '../parseJson.ts';

type Receiver = {
  code: string;
  settings: { operatorIDs: readonly (string | number)[]; product: string; demoCurrency: string };
  currencies: WalletCurrencies;
  isSigned(body: Buffer, signature: Buffer): boolean;
};
/** A request of a casino that is signed. */
export type Asked = Receiver & { server: DialectServer; operatorID: string };
/** Hub88 gets `body` with the status 200, or an error with another one. */
export type Answer = { body: unknown } | { status: number; error: string };
export type Routes = Readonly<Record<string, (asked: Asked, body: unknown) => Promise<Answer>>>;

/** A body that does not fit the schema gets its first issue. */
export function route<Schema extends z.ZodType>(
  schema: Schema,
  run: (asked: Asked, body: z.output<Schema>) => Promise<Answer>,
): Routes[string] {
  return async (asked, body) => {
    const parsed = schema.safeParse(body);
    if (parsed.success) return run(asked, parsed.data);
    const [{ path, message } = { path: [], message: 'is not valid' }] = parsed.error.issues;
    return { status: 400, error: `${path.join('.') || 'body'}: ${message}` };
  };
}

/** Each casino may request a list once a minute. */
const LISTS = ['/game/list', '/freebet/prepaids/list'];
const LISTED_EVERY_MS = 60_000;
const namedSchema = z.object({ operator_id: z.union([z.int(), z.string()]).optional() });

/** Returns what responds to the requests of Hub88. */
export function receiver(receiver: Receiver, routes: Routes): NonNullable<DialectConnection['receive']> {
  const known = receiver.settings.operatorIDs.map(String);
  return async ({ method, path: url, headers, body: bytes }, server) => {
    const signature = headers['x-hub88-signature'];
    if (typeof signature !== 'string' || !receiver.isSigned(bytes, Buffer.from(signature, 'base64')))
      return { ...refused(401, 'the signature is not valid'), refused: 'signature' };
    const [path = ''] = url.split('?');
    const run = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (run === undefined || method !== 'POST') return refused(404, 'there is no such request');
    const body = parseJson(bytes.toString());
    // A connection of one casino needs no name.
    const named = namedSchema.safeParse(body);
    const operatorID = String(named.data?.operator_id ?? (known.length === 1 ? known[0] : ''));
    if (!named.success || operatorID === '') return refused(400, 'operator_id: is needed');
    if (!known.includes(operatorID)) return { ...refused(404, 'operator_id: is not known'), refused: 'partner' };
    if (LISTS.includes(path) && !(await server.takeTurn(`${path} ${operatorID}`, LISTED_EVERY_MS)))
      return refused(429, 'Too Many Requests');
    const answer = await run({ ...receiver, server, operatorID }, body);
    if ('error' in answer) return refused(answer.status, answer.error);
    return { status: 200, body: JSON.stringify(answer.body) };
  };
}

function refused(status: number, error: string): InboundResponse {
  return { status, body: JSON.stringify({ error }) };
}
