import { isDeepStrictEqual } from 'node:util';
import { errorBodySchema, OPERATOR_ROUTES, operatorErrorSchema } from '@roundhouse/contract';
import type { WireResponse } from './connection.ts';
import { isFairnessPath } from './fairModel.ts';
import { createPlayerModel, type Seat, type Sent } from './playerModel.ts';
import { ENDPOINTS, type Endpoint, type Request } from './requests.ts';

const VOID_PATH = /^\/operator\/rounds\/(\d+)\/void$/;
const END_PATH = OPERATOR_ROUTES.endSessions.path;
const ROUND_PATH = /^\/operator\/rounds\/[^?]/;
const GIVE_PATH = OPERATOR_ROUTES.giveGrants.path;
const GRANT_PATH = /^\/operator\/free-rounds\/grants\/([^/]+?)(\/cancel)?$/;

type Judging = { isPredicted: boolean; isDamaged: boolean };
/** Holds a response: the path of its request, and its body as JSON. */
type Shown = { path: string; status: number; shown: any };

/** Judges each response by the exact accounts of one player, and keeps them. */
export function createOracle(options: { seats: readonly Seat[]; balance: number }) {
  const player = createPlayerModel(options);
  const voided = new Set<number>();

  function gameIssue({ method, headers, body }: Request, { path, status, shown }: Shown, { isPredicted }: Judging) {
    const endpoint = ENDPOINTS.get(path) as Endpoint;
    // The queue of seeds and proofs is short, and on a busy machine it refuses.
    if (status === 503 && isFairnessPath(path)) return undefined;
    if (status !== 200 && status !== 400) return `status ${status} at ${path}`;
    const valuesOf = (name: string) =>
      headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
    const keys = valuesOf('idempotency-key').map((value) => value.replace(/^[ \t]+|[ \t]+$/g, ''));
    const key = keys.length === 0 ? undefined : keys.join(', ');
    const sent = endpoint.body.safeParse(parsed(new TextDecoder().decode(body)));
    const refusal = sent.success ? player.refusalOf(path, sent.data as Sent, key) : 'ERR_VAL';
    if (status === 400)
      return isPredicted && shown.error !== refusal
        ? `${shown.error} in place of ${refusal ?? 'a success'}`
        : undefined;
    if (method !== 'POST') return `a success by ${method}`;
    if (!/^(identity)?$/.test(valuesOf('content-encoding').join())) return 'an encoded body was read';
    if (refusal !== undefined) return `a success in place of ${refusal}`;
    if (!endpoint.responses[200].safeParse(shown).success) return 'a success that is not in the contract';
    const expected: Record<string, unknown> = player.succeed(path, sent.data as Sent, { key, shown });
    const wrong = Object.keys(expected).find(
      (name) => name in shown && !isDeepStrictEqual(shown[name], expected[name]),
    );
    return wrong && `${wrong} is ${JSON.stringify(expected[wrong])}, and ${JSON.stringify(shown[wrong])} was shown`;
  }

  /** `other` owns no session and no round of them, `forger` has no valid secret. */
  function operatorIssue({ signer, target, body }: Request, { path, status, shown }: Shown): string | undefined {
    const { sessionID = '' } = (path === END_PATH && (parsed(body.toString()) as { sessionID?: string })) || {};
    const isMine = options.seats.some((seat) => seat.sessionID === sessionID);
    if (isMine && status !== (signer === 'owner' ? 200 : 404)) return `status ${status} for the end of the session`;
    if (signer === 'owner' && path === GIVE_PATH)
      return status === player.given(parsed(body.toString())) ? undefined : `status ${status} for a new grant`;
    if (signer === 'owner' && GRANT_PATH.test(path)) return grantIssue({ path, status, shown });
    if (status >= 400) return undefined;
    if (signer === 'other' && isOfPlayer(shown)) return 'another operator was shown the player';
    if (signer === 'other')
      return ROUND_PATH.test(path) || shown.rounds?.length > 0 ? 'another operator was shown a round' : undefined;
    if (signer !== 'owner') return 'a request without a valid signature was accepted';
    if (isMine) {
      const ended = player.ended(sessionID);
      return shown.ended === ended ? undefined : `${shown.ended} sessions were ended in place of ${ended}`;
    }
    const betID = Number(VOID_PATH.exec(target)?.[1]);
    if (Number.isNaN(betID) || voided.has(betID)) return undefined;
    voided.add(betID);
    return player.voided(betID);
  }

  const isOfPlayer = (shown: unknown) => JSON.stringify(shown)?.includes(options.seats[0]?.playerID ?? '');

  /** The operator reads or cancels a grant. */
  function grantIssue({ path, status, shown }: Shown): string | undefined {
    const [, grantID = '', cancel] = GRANT_PATH.exec(path) ?? [];
    const expected = player.grantAfter(grantID, { isCancelled: cancel !== undefined });
    if (status !== (expected === undefined ? 404 : 200)) return `status ${status} for a grant`;
    const wrong = Object.entries(expected ?? {}).find(([name, value]) => shown[name] !== value);
    return wrong && `${wrong[0]} of a grant is ${wrong[1]}, and ${shown[wrong[0]]} was shown`;
  }

  return {
    player,

    /** Returns what is wrong with a response; a predicted one must be that of the model. */
    issueOf(request: Request, { status, body }: WireResponse, judging: Judging): string | undefined {
      const text = body.toString();
      if (options.seats.some(({ sessionID }) => text.includes(sessionID))) return 'the response names the session';
      // The path has no host, query or fragment.
      const path = request.target.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#\s].*$/s, '');
      // On a busy machine the database may take longer than a proxy waits.
      if (status === 503 && path === '/readyz') return undefined;
      const mayBeBusy = status === 503 && isFairnessPath(path);
      if (status < 200 || (status >= 500 && !mayBeBusy)) return `status ${status}`;
      const shown: any = parsed(text);
      const errorSchema = ENDPOINTS.has(path) ? errorBodySchema : operatorErrorSchema;
      if (status >= 400 && request.method !== 'HEAD' && !errorSchema.safeParse(shown).success)
        return `status ${status} without the error body of the protocol`;
      // The damage may have cut the path.
      if (request.method === 'OPTIONS' || (judging.isDamaged && status === 404)) return undefined;
      const response = { path, status, shown };
      if (ENDPOINTS.has(path)) return gameIssue(request, response, judging);
      if (path.startsWith('/operator/')) return operatorIssue(request, response);
      if (shown?.balance !== undefined) return 'an odd path has reached the API';
      return judging.isPredicted && status !== 200 ? `status ${status} in place of 200` : undefined;
    },
  };
}

/** Judges one response too many: the server found a request where none was meant. */
export function issueOfMore({ status, body }: WireResponse): string | undefined {
  const isRefused = status === 400 && errorBodySchema.safeParse(parsed(body.toString())).success;
  return isRefused ? undefined : `one more response, of status ${status}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
