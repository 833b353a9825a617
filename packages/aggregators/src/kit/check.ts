import {
  CheckFailure,
  type CheckOutcome,
  createPoster,
  NotTestable,
  type RuleResult,
  redactor,
  responseOf,
  type ShownExchange,
  type WalletReport,
} from '@roundhouse/wallet-check';
import { withMeantAmounts } from './meantAmounts.ts';

export { CheckFailure, NotTestable };

/** What the rules need of the aggregator's test system. */
export type EndpointFacts = {
  /** The aggregator's id of a test player. */
  player: string;
  /** A live token of the player, for this game and currency. */
  token: string;
  /** A token that has timed out, when there is one. */
  expiredToken?: string | undefined;
  /** The aggregator's code. */
  currency: string;
  gameID: string;
  /** The rules bet this, in the aggregator's smallest unit, above zero. */
  bet: bigint;
};

export type Endpoint<Settings = unknown> = {
  /**
   * Sends a body as it is. A request without a response is also an exchange. Amounts of the
   * response are as the server reads them.
   */
  post(path: string, body: string, headers?: Record<string, string>): Promise<ShownExchange>;
  /** Sends a GET without a signature. */
  get(path: string): Promise<ShownExchange>;
  /** Closes its connections. */
  close(): Promise<void>;
  /** All exchanges so far, in the order of the responses, and as they came. */
  history(): readonly ShownExchange[];
  facts: EndpointFacts;
  /** Those of --dialect-settings: the server's key to sign with, and what else it needs. */
  settings: Settings;
};

/** One rule of the dialect and the check of it. */
export type Rule<Settings = unknown> = {
  /** `<group>.<name>`, stable: reports are compared by it. */
  id: string;
  /** What a right wallet does, in one sentence. */
  rule: string;
  /**
   * Ends when the wallet obeys. Throws a CheckFailure when it does not, a NotTestable when nobody
   * can know.
   */
  run(endpoint: Endpoint<Settings>): Promise<void>;
};

/**
 * `url` is the base of the wallet API: what --wallet-url has. timeoutMs: what the operator's
 * requests may take, 5,000 by default.
 */
export function createEndpoint<Settings>({
  url,
  timeoutMs,
  facts,
  settings,
}: {
  url: string;
  timeoutMs?: number | undefined;
  facts: EndpointFacts;
  settings: Settings;
}): Endpoint<Settings> {
  const poster = createPoster({ baseUrl: url, timeoutMs });
  const exchanges: ShownExchange[] = [];
  return {
    async post(path, body, headers = {}) {
      const call = { method: 'POST', path, signed: wordsOf(headers), body };
      const all = { 'content-type': 'application/json', ...headers };
      const response = responseOf(await poster.post({ path, body, headers: () => all }));
      exchanges.push({ call, response });
      return { call, response: response.came ? { ...response, body: withMeantAmounts(response.body) } : response };
    },
    async get(path) {
      const call = { method: 'GET', path, signed: wordsOf({}), body: '' };
      const response = responseOf(await poster.get(path));
      exchanges.push({ call, response });
      return { call, response };
    },
    close: poster.close,
    history: () => exchanges,
    facts,
    settings,
  };
}

/** A header can have a signature or a password, so a report has the names alone. */
function wordsOf(headers: Record<string, string>): string {
  const names = Object.keys(headers).filter((name) => name.toLowerCase() !== 'content-type');
  return names.length === 0 ? 'no headers' : `with ${names.join(', ')}`;
}

export type CheckOptions<Settings> = {
  rules: readonly Rule<Settings>[];
  endpoint: Endpoint<Settings>;
  /** Called with each result at once. */
  onResult?: (result: RuleResult) => void;
  /** Ends the run after the rule under way. */
  signal?: AbortSignal;
};

/**
 * Runs the rules one after the other, and closes the endpoint. Rejects only with the reason of
 * `signal`.
 */
export async function checkEndpoint<Settings>({
  rules,
  endpoint,
  onResult,
  signal,
}: CheckOptions<Settings>): Promise<CheckOutcome> {
  const redact = redactor({ ...secretsOf(endpoint) });
  const report: WalletReport = { player: undefined, results: [], balanceAtEnd: undefined };
  try {
    for (const rule of rules) {
      signal?.throwIfAborted();
      const begin = endpoint.history().length;
      const result = redactedResult(await judge(rule, endpoint, begin), redact);
      report.results.push(result);
      onResult?.(result);
      const last = endpoint.history().at(-1)?.response;
      if (result.outcome === 'fail' && last?.came === false) {
        return { ok: false, why: redact(`${last.why} since ${rule.id}`) };
      }
    }
    return { ok: true, report };
  } finally {
    await endpoint.close();
  }
}

async function judge<Settings>(
  { id, rule, run }: Rule<Settings>,
  endpoint: Endpoint<Settings>,
  begin: number,
): Promise<RuleResult> {
  try {
    await run(endpoint);
    return { id, rule, outcome: 'pass' };
  } catch (error) {
    if (error instanceof NotTestable) return { id, rule, outcome: 'not testable', why: error.message };
    if (!(error instanceof CheckFailure)) throw error;
    const exchanges = [...(error.exchanges ?? endpoint.history().slice(begin))];
    return { id, rule, outcome: 'fail', why: error.message, exchanges };
  }
}

type Redact = ReturnType<typeof redactor>;

function redactedResult(result: RuleResult, redact: Redact): RuleResult {
  if (result.outcome === 'pass') return result;
  if (result.outcome === 'not testable') return { ...result, why: redact(result.why) };
  const exchanges = result.exchanges.map(({ call, response }) => ({
    call: { ...call, path: redact(call.path), body: redact(call.body) },
    response: response.came ? { ...response, body: redact(response.body) } : response,
  }));
  return { ...result, why: redact(result.why), exchanges };
}

/** Shorter texts of the settings are names and codes, unless their key says otherwise. */
const SECRET_LENGTH = 16;
const SECRET_KEY = /secret|token|password|key/i;

function secretsOf({ facts: { token, expiredToken }, settings }: Endpoint): Record<string, string | undefined> {
  const secrets: Record<string, string | undefined> = { token, 'expired token': expiredToken };
  const collect = (path: string, value: unknown): void => {
    const isSecret = (text: string) => text.length >= SECRET_LENGTH || SECRET_KEY.test(path);
    if (typeof value === 'string' && isSecret(value)) secrets[path] = value;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) collect(`${path}.${key}`, inner);
    }
  };
  collect('settings', settings);
  return secrets;
}
