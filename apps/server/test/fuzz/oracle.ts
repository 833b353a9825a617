import { errorBodySchema, gameContract, OPERATOR_HEADER, operatorErrorSchema, signCall } from '@roundhouse/contract';
import type { Answer } from './answers.ts';
import { isGamePath, type MoneyCall, type Purse } from './purse.ts';
import type { Request, Signer } from './requests.ts';

export type Secrets = Readonly<Record<Signer, { code: string; secret: string }>>;

const VOID_PATH = /^\/operator\/rounds\/(\d+)\/void$/;
const READY_PATH = '/readyz';
const ROUND_PATH = /^\/operator\/rounds\/[^?]/;

/** The bytes of a request. Signed now, because a signature holds for minutes only. */
export async function bytesOf(
  { method, target, headers, body, framing, signer }: Request,
  secrets: Secrets,
): Promise<Buffer> {
  const { lines, bytes } = framing(body);
  const all = ['Host: rgs', ...lines, ...headers.map(([name, value]) => `${name}: ${value}`)];
  if (signer !== undefined) {
    const { code, secret } = secrets[signer];
    const call = { direction: 'to-rgs', method, path: target, body: new Uint8Array(body) } as const;
    const signed = await signCall(call, { secret, nowSeconds: Math.floor(Date.now() / 1000) });
    all.push(`${OPERATOR_HEADER}: ${code}`, ...Object.entries(signed).map(([name, value]) => `${name}: ${value}`));
  }
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

type Judging = { purse: Purse; isForetold: boolean; isDamaged: boolean };

/** What is wrong with an answer, and with the one to a good call that the model foretells. */
export function issueOf(
  request: Request,
  { answer, purse, isForetold, isDamaged }: Judging & { answer: Answer },
): string | undefined {
  const { status } = answer;
  const text = answer.body.toString();
  const body = parsed(text);
  if (text.includes(purse.sessionID)) return 'the answer names the session';
  const path = pathOf(request.target);
  // A machine that others keep busy: asking the database may take longer than a proxy waits.
  if (status === 503 && path === READY_PATH) return undefined;
  if (status < 200 || status >= 500) return `status ${status}`;
  const isError = status >= 400;
  if (isError && request.method !== 'HEAD') {
    const { success } = (isGamePath(path) ? errorBodySchema : operatorErrorSchema).safeParse(body);
    if (!success) return `status ${status} without the error body of the interface`;
  }
  if (request.method === 'OPTIONS') return undefined;
  // The damage may have cut the path.
  if (isDamaged && status === 404) return undefined;
  if (isGamePath(path)) return gameIssue({ request, status, path, body }, { purse, isForetold });
  if (path.startsWith('/operator/')) return operatorIssue(request, { status, path, body, purse });
  if (typeof body === 'object' && body !== null && 'balance' in body) return 'an odd path has reached the API';
  return isForetold && status !== 200 ? `status ${status} in place of 200` : undefined;
}

/**
 * Of a request that was not sent as such: it stood in what the server took for the rest of another
 * one.
 */
export function issueOfMore({ status, body }: Answer): string | undefined {
  const isRefused = status === 400 && errorBodySchema.safeParse(parsed(body.toString())).success;
  return isRefused ? undefined : `one more answer, of status ${status}`;
}

type GameAnswer = { request: Request; status: number; path: MoneyCall['path']; body: unknown };

function gameIssue(
  { request, status, path, body }: GameAnswer,
  { purse, isForetold }: Pick<Judging, 'purse' | 'isForetold'>,
) {
  if (status !== 200 && status !== 400) return `status ${status} at ${path}`;
  const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const call: MoneyCall = { path, body: parsed(decoded(request.body)), hasKey: headers.has('idempotency-key') };
  if (status === 200) {
    if (request.method !== 'POST') return `a success by ${request.method}`;
    if (!/^(identity)?$/.test(headers.get('content-encoding') ?? '')) return 'an encoded body was read';
    const route = Object.values(gameContract).find((each) => each.path === path);
    const isWhole = route?.responses[200].safeParse(body).success;
    return isWhole ? purse.success(call, body) : 'a success without the body of the contract';
  }
  if (!isForetold) return undefined;
  const refusal = purse.refusalOf(call);
  const { error } = body as { error: string };
  return error === refusal ? undefined : `${error} in place of ${refusal ?? 'a success'}`;
}

/** `other` owns nothing of the money sessions, and what `forger` signs is signed by nobody. */
function operatorIssue(
  { signer, target }: Request,
  { status, path, body, purse }: { status: number; path: string; body: any; purse: Purse },
) {
  if (status >= 400) return undefined;
  if (signer === 'owner') {
    const betID = VOID_PATH.exec(target)?.[1];
    return betID === undefined ? undefined : purse.givenBack(Number(betID));
  }
  if (signer !== 'other') return 'a call that nobody has signed was let pass';
  if (ROUND_PATH.test(path) || body.rounds?.length > 0) return 'a round was shown to a foreign operator';
  return undefined;
}

/** Without the address and whatever else may stand around it. */
function pathOf(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#\s].*$/s, '');
}

function decoded(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
