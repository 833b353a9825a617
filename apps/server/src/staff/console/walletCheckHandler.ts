import { toMicros } from '@roundhouse/contract';
import type { adminStreamContract, WalletCheckLine } from '@roundhouse/contract/admin';
import type { RuleResult } from '@roundhouse/wallet-check';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { notFoundResponse } from '../../base/http/responses.ts';
import {
  dialectWalletCheck,
  ownWalletCheck,
  sessionsToCheck,
  type WalletCheck,
} from '../../rounds/wallets/walletCheck.ts';
import { findWalletOperator, OWN_PROTOCOL, type WalletOperator } from '../../store/operators/operators.ts';
import type { AdminDeps } from './adminDeps.ts';
import { linesOf } from './lines.ts';
import { NO_SUCH_OPERATOR } from './operatorHandlers.ts';
import { pathScope } from './operatorScope.ts';
import type { StreamHandlers } from './stream.ts';

type CheckHandlers = Pick<StreamHandlers<typeof adminStreamContract>, 'checkWallet'>;
type CheckBody = {
  session?: string | undefined;
  expiredSession?: string | undefined;
  gameID: string;
  bet: number;
  freeRounds?: boolean | undefined;
  closingDebits?: boolean | undefined;
  playerID?: string | undefined;
  currency?: string | undefined;
};

/**
 * Checks the wallet of an operator as `roundhouse wallet-check` does, with a line for each rule. It
 * takes address, secret and settings from the stored operator, so it reaches no other server.
 */
export function walletCheckHandler({ db }: Pick<AdminDeps, 'db'>): CheckHandlers {
  return {
    checkWallet: async ({ params: { operator: code }, body, res }) => {
      const scope = await pathScope(db, res, code);
      if (scope === undefined) return notFoundResponse(NO_SUCH_OPERATOR);
      const operator = await findWalletOperator(db, { operatorID: scope.operatorID });
      if (operator === undefined) throw new InvalidRequest('the operator has the house wallet');
      const check = await checkOf(operator, body);
      return linesOf((emit, signal) => run(check, { emit, signal, walletUrl: operator.url }));
    },
  };
}

/** @throws InvalidRequest when the body does not suit the wallet of the operator. */
async function checkOf(operator: WalletOperator, body: CheckBody): Promise<WalletCheck> {
  const { url, timeoutMs, secrets, dialect, dialectSettings: settings } = operator;
  const { session, expiredSession, gameID, freeRounds = false, closingDebits = false, playerID, currency } = body;
  const bet = toMicros(body.bet);
  if (dialect === OWN_PROTOCOL) {
    const [secret] = secrets;
    if (secret === undefined) throw new InvalidRequest('the operator has no secret to sign with');
    const wallet = { url, timeoutMs, secret, gameID };
    const sessions = await sessionsToCheck({ ...wallet, sessionID: session, expiredSessionID: expiredSession });
    if (!sessions.ok) throw missing('session', `There is no session to check with: ${sessions.why}. Enter one.`);
    const { sessionID, expiredSessionID } = sessions;
    return ownWalletCheck({ ...wallet, sessionID, expiredSessionID, bet, freeRounds, closingDebits });
  }
  if (session === undefined) throw missing('session', `Dialect ${dialect} needs a token of the test player.`);
  if (playerID === undefined) throw missing('playerID', `Dialect ${dialect} needs the id of the test player.`);
  if (currency === undefined) throw missing('currency', `Dialect ${dialect} needs the code of the currency.`);
  const given = { player: playerID, token: session, expiredToken: expiredSession, currency, gameID, bet };
  const prepared = dialectWalletCheck({ url, timeoutMs, dialect, settings, ...given });
  if (!prepared.ok) throw missing(prepared.field, prepared.issue);
  return prepared.check;
}

function missing(field: string, text: string): InvalidRequest {
  return new InvalidRequest(`${field}: ${text}`, { [field]: text });
}

type Run = { emit(line: WalletCheckLine): void; signal: AbortSignal; walletUrl: string };

/** Emits a line for each rule, and returns the last line. */
async function run(check: WalletCheck, { emit, signal, walletUrl }: Run): Promise<WalletCheckLine> {
  const counts = { pass: 0, fail: 0, 'not testable': 0 };
  const onResult = (result: RuleResult) => {
    counts[result.outcome] += 1;
    emit(ruleLine(result));
  };
  const outcome = await check({ signal, onResult });
  if (!outcome.ok) {
    return {
      kind: 'error',
      error: 'ERR_GEN',
      message: `The wallet at ${walletUrl} cannot be reached (${outcome.why}).`,
    };
  }
  const { pass: passed, fail: failed, 'not testable': notTestable } = counts;
  return { kind: 'result', passed, failed, notTestable, walletUrl };
}

const MAX_SHOWN_CHARACTERS = 2_000;

/** The check has replaced secrets and sessions by their names already. */
function ruleLine(result: RuleResult): WalletCheckLine {
  const { id, rule, outcome } = result;
  if (outcome === 'pass') return { kind: 'line', id, rule, outcome, why: null, exchanges: [] };
  if (outcome === 'not testable') return { kind: 'line', id, rule, outcome, why: result.why, exchanges: [] };
  const exchanges = result.exchanges.map(({ call, response }) => ({
    request: cut(`${call.method} ${call.path}, ${call.signed}: ${call.body}`),
    response: cut(response.came ? `${response.status} ${response.body}` : `no response: ${response.why}`),
  }));
  return { kind: 'line', id, rule, outcome, why: cut(result.why), exchanges };
}

function cut(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}
