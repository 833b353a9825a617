import { aggregatorOf, checkEndpoint, createEndpoint, fromMicros } from '@roundhouse/aggregators';
import type { Micros } from '@roundhouse/contract';
import { issuesOf, parseSettings } from '@roundhouse/dialects';
import { type CheckOutcome, checkWallet, type RuleResult, requestTestSession } from '@roundhouse/wallet-check';

/**
 * Runs the rules. When `signal` is aborted, it ends after the current rule and rejects with the
 * signal's reason.
 */
export type WalletCheck = (run: {
  signal: AbortSignal;
  onResult?: (result: RuleResult) => void;
}) => Promise<CheckOutcome>;

export type OwnCheckOptions = {
  /** Base URL of the wallet. */
  url: string;
  /** The time limit of a request in milliseconds: that of the operator, 5,000 by default. */
  timeoutMs?: number | undefined;
  secret: string;
  /** A live session of a test player. */
  sessionID: string;
  expiredSessionID?: string | undefined;
  gameID: string;
  bet: Micros;
  freeRounds: boolean;
  closingDebits: boolean;
};

type Sessions = Pick<OwnCheckOptions, 'sessionID' | 'expiredSessionID'>;
type SessionOptions = Pick<OwnCheckOptions, 'url' | 'timeoutMs' | 'secret' | 'gameID' | 'expiredSessionID'> & {
  sessionID: string | undefined;
};

/**
 * Returns the sessions to check with: the given ones, or without a live one those of a test player,
 * from the wallet. `why` is one line.
 */
export async function sessionsToCheck({
  url,
  sessionID,
  expiredSessionID,
  ...options
}: SessionOptions): Promise<({ ok: true } & Sessions) | { ok: false; why: string }> {
  if (sessionID !== undefined) return { ok: true, sessionID, expiredSessionID };
  const given = await requestTestSession({ baseUrl: url, ...options });
  return given.ok && expiredSessionID !== undefined ? { ...given, expiredSessionID } : given;
}

/** Prepares the check of a wallet by the server's own protocol. */
export function ownWalletCheck({ url, expiredSessionID, ...facts }: OwnCheckOptions): WalletCheck {
  const expired = expiredSessionID === undefined ? {} : { expiredSessionID };
  return (run) => checkWallet({ baseUrl: url, ...facts, ...expired, ...run });
}

export type DialectCheckOptions = {
  url: string;
  timeoutMs?: number | undefined;
  dialect: string;
  /**
   * The operator's settings with defaults left out: keys to sign with, and what else the dialect
   * needs.
   */
  settings: unknown;
  player: string;
  token: string;
  expiredToken?: string | undefined;
  /** The dialect names the currency by this code. */
  currency: string;
  gameID: string;
  bet: Micros;
};

/** `issue` is one sentence. */
export type DialectCheck = { ok: true; check: WalletCheck } | { ok: false; field: string; issue: string };

/** Prepares the check of a wallet by the rules of its dialect. */
export function dialectWalletCheck({
  url,
  timeoutMs,
  dialect,
  settings,
  bet,
  ...given
}: DialectCheckOptions): DialectCheck {
  const kit = aggregatorOf(dialect);
  if (kit === undefined) return { ok: false, field: 'dialect', issue: `There are no rules for dialect ${dialect}.` };
  const parsed = parseSettings(dialect, settings);
  if (!parsed.success) {
    const issues = issuesOf(parsed.error).map(({ field, message }) => `${field || 'the file'}: ${message}`);
    return {
      ok: false,
      field: 'dialect',
      issue: `The settings of dialect ${dialect} are not right: ${issues.join('; ')}`,
    };
  }
  const decimals = kit.aggregator.scale(given.currency);
  const stake = stakeOf(bet, decimals);
  if (stake === undefined)
    return { ok: false, field: 'bet', issue: `The wallet writes ${decimals} decimals: the bet has more.` };
  const endpoint = createEndpoint({ url, timeoutMs, facts: { ...given, bet: stake }, settings: parsed.data.own });
  return { ok: true, check: (run) => checkEndpoint({ rules: kit.rules, endpoint, ...run }) };
}

function stakeOf(bet: Micros, decimals: number): bigint | undefined {
  try {
    return fromMicros(bet, decimals);
  } catch {
    return undefined;
  }
}
