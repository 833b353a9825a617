import { errorBodySchema, gameContract, operatorErrorSchema } from '@roundhouse/contract';
import { type AccountModel, type GameRequest, isGamePath } from './accountModel.ts';
import type { WireResponse } from './connection.ts';
import type { Request } from './requests.ts';

const VOID_PATH = /^\/operator\/rounds\/(\d+)\/void$/;
const ROUND_PATH = /^\/operator\/rounds\/[^?]/;

type Judging = { model: AccountModel; isPredicted: boolean; isDamaged: boolean };

/** What is wrong with the response to a request; a predicted one must be that of the model. */
export function issueOf(request: Request, response: WireResponse, judging: Judging): string | undefined {
  const { status } = response;
  const text = response.body.toString();
  const body: any = parsed(text);
  if (text.includes(judging.model.sessionID)) return 'the response names the session';
  // Without the host, and without a query or fragment.
  const path = request.target.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#\s].*$/s, '');
  // On a busy machine the database may take longer than a proxy waits.
  if (status === 503 && path === '/readyz') return undefined;
  if (status < 200 || status >= 500) return `status ${status}`;
  if (status >= 400 && request.method !== 'HEAD') {
    const schema = isGamePath(path) ? errorBodySchema : operatorErrorSchema;
    if (!schema.safeParse(body).success) return `status ${status} without the error body of the protocol`;
  }
  // The damage may have cut the path.
  if (request.method === 'OPTIONS' || (judging.isDamaged && status === 404)) return undefined;
  if (isGamePath(path)) return gameIssue(request, { path, status, body }, judging);
  if (path.startsWith('/operator/')) return status >= 400 ? undefined : operatorIssue(request, path, body, judging);
  if (typeof body === 'object' && body !== null && 'balance' in body) return 'an odd path has reached the API';
  return judging.isPredicted && status !== 200 ? `status ${status} in place of 200` : undefined;
}

/**
 * Of one response more than requests were sent: the server found a request where none was meant.
 */
export function issueOfMore({ status, body }: WireResponse): string | undefined {
  const isRefused = status === 400 && errorBodySchema.safeParse(parsed(body.toString())).success;
  return isRefused ? undefined : `one more response, of status ${status}`;
}

function gameIssue(
  { method, headers, body: sent }: Request,
  { path, status, body }: { path: GameRequest['path']; status: number; body: any },
  { model, isPredicted }: Judging,
) {
  if (status !== 200 && status !== 400) return `status ${status} at ${path}`;
  const named = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const sentBody = parsed(new TextDecoder().decode(sent));
  const request: GameRequest = { path, body: sentBody, hasKey: named.has('idempotency-key') };
  if (status === 200) {
    if (method !== 'POST') return `a success by ${method}`;
    if (!/^(identity)?$/.test(named.get('content-encoding') ?? '')) return 'an encoded body was read';
    const route = Object.values(gameContract).find((each) => each.path === path);
    const isWhole = route?.responses[200].safeParse(body).success;
    return isWhole ? model.success(request, body) : 'a success without the body of the contract';
  }
  const refusal = model.refusalOf(request);
  return isPredicted && body.error !== refusal ? `${body.error} in place of ${refusal ?? 'a success'}` : undefined;
}

/**
 * A success of the operator API: `other` owns no round of the sessions, `forger` has no valid
 * secret.
 */
function operatorIssue({ signer, target }: Request, path: string, body: any, { model }: Judging) {
  if (signer === 'owner') {
    const betID = VOID_PATH.exec(target)?.[1];
    return betID === undefined ? undefined : model.voided(Number(betID));
  }
  if (signer !== 'other') return 'a request without a valid signature was accepted';
  const hasRound = ROUND_PATH.test(path) || body.rounds?.length > 0;
  return hasRound ? 'a round was shown to a foreign operator' : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
