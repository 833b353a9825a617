import { isStorableText, type WalletAuthenticateResponse } from '@roundhouse/contract';
import { inSpan, type TraceSpan, tracedLog } from '@roundhouse/service';
import type { Logger } from 'pino';
import type { Outcome, Refused } from '../../base/refusal.ts';
import type { Database } from '../../store/database/database.ts';
import { sealWalletToken } from '../../store/database/secretKeys.ts';
import type { WalletOperator } from '../../store/operators/operators.ts';
import type { LookUps } from '../../store/rounds/lookUps.ts';
import type { LaunchRecord } from '../../store/rounds/sessions.ts';
import { availableGames } from '../games/availableGames.ts';
import { type Catalogue, isKnownCurrency } from '../games/catalogue.ts';
import { connectionOf, type WalletClient } from '../wallets/seamless/walletClient.ts';
import { walletRefusal } from '../wallets/seamless/walletResult.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import type { AddressLimit } from './addressLimit.ts';
import type { SessionDirectory } from './sessionDirectory.ts';
import { openToken, sha256Of } from './sessionToken.ts';
import { startSeamlessSession } from './startSession.ts';

export type ResolveDeps = {
  db: Database;
  catalogue: Catalogue;
  sessions: SessionDirectory;
  verificationLimit: AddressLimit;
  lookUps: LookUps;
  walletClient: WalletClient;
  log: Logger;
};

const UNKNOWN: Refused = { ok: false, refusal: 'session_invalid' };

/**
 * Finds the session of an authenticate. A session that this server does not know is verified with
 * the operator of its launch, else with the operator of its prefix ("acme:…"), else with the
 * default operator. The response says who the player is.
 */
export async function resolveSession(
  deps: ResolveDeps,
  { sessionID, address, trace }: { sessionID: string; address: string | undefined; trace?: TraceSpan },
): Promise<Outcome<{ session: BearerSession }>> {
  const found = await deps.sessions.lookUp(sessionID, trace);
  if (found.kind === 'session') return { ok: true, session: { sessionID, trace, ...found.session } };
  const launch = found.kind === 'launch' ? found.launch : undefined;
  if (launch?.revoked || (launch !== undefined && launch.expiresAt.getTime() <= Date.now())) return UNKNOWN;
  const operatorID = found.kind === 'launch' ? found.launch.operatorID : found.operatorID;
  if (operatorID === undefined) return UNKNOWN;
  // No operator can have stored such a text, and a wallet's refusal of it would look like a failure
  // of the wallet.
  if (!isStorableText(sessionID)) return UNKNOWN;
  if (launch === undefined) await deps.verificationLimit.admit(address);
  const operator = await deps.lookUps.walletOperator(operatorID);
  if (operator === undefined || (operator.launchedOnly && launch === undefined)) return UNKNOWN;
  if (operator.isDisabled) return { ok: false, refusal: 'operator_maintenance' };
  const span = trace?.child('verify session', {
    attributes: { 'roundhouse.operator': operator.code, 'roundhouse.game': launch?.gameID },
  });
  return inSpan(span, async () => {
    const outcome = await verify(deps, sessionID, { operator, launch, span });
    if (!outcome.ok) span?.set({ 'roundhouse.refusal': outcome.refusal });
    return outcome.ok ? { ok: true, session: { ...outcome.session, trace } } : outcome;
  });
}

type Verification = { operator: WalletOperator; launch: LaunchRecord | undefined; span: TraceSpan | undefined };

/** Asks the wallet of the operator who the player is, and starts the session by its response. */
async function verify(
  deps: ResolveDeps,
  sessionID: string,
  { operator, launch, span }: Verification,
): Promise<Outcome<{ session: BearerSession }>> {
  const log = tracedLog(deps.log, span);
  const game = launch ?? (await gameWithoutLaunch(deps, operator));
  if (game === undefined) {
    log.warn(
      { operator: operator.code },
      'a session without a launch names no game, and the operator has no default game',
    );
    return UNKNOWN;
  }
  const token = launch && openToken(launch.sealedToken, sessionID);
  // A launch proves that the operator has sent this player. Without one, anybody may have invented
  // the sessionID.
  const sessionKind = launch === undefined ? 'unknown' : 'known';
  const body = { sessionID, gameID: game.gameID, ...(token !== undefined && { token }) };
  const context = {
    ...({ sessionKind, token, playerID: launch?.externalID, currency: launch?.currency } as const),
    trace: span,
  };
  const result = await deps.walletClient.send(operator, 'authenticate', body, context);
  if (result.kind !== 'accepted') return walletRefusal('authenticate', result);
  const verified = result.body;
  if (launch?.externalID !== undefined && launch.externalID !== verified.playerID) {
    log.warn({ operator: operator.code }, 'the operator names another player than its launch did');
    return UNKNOWN;
  }
  const unit = connectionOf(operator).unitOf(verified.currency);
  if (unit === undefined) {
    log.warn(
      { operator: operator.code, currency: verified.currency },
      'the wallet names a currency that its dialect does not have',
    );
    return { ok: false, refusal: 'game_not_offered' };
  }
  if (!isKnownCurrency(deps.catalogue, verified.currency)) {
    log.warn(
      { operator: operator.code, currency: verified.currency },
      'the wallet names a currency that this server does not know',
    );
    return { ok: false, refusal: 'game_not_offered', detail: 'the server does not know the currency of the player' };
  }
  return startVerified(deps, sessionID, { operator, launch, span, game, token, verified, unit, log });
}

type Verified = Verification & {
  game: { gameID: string; gameVersion: string };
  token: string | undefined;
  verified: WalletAuthenticateResponse;
  /** The smallest amount that the wallet can move, in micros. */
  unit: number;
  log: Logger;
};

/** Stores the session of a player whom the wallet has named, and finds it. */
async function startVerified(
  deps: ResolveDeps,
  sessionID: string,
  { operator, launch, span, game: { gameID, gameVersion }, token, verified, unit, log }: Verified,
): Promise<Outcome<{ session: BearerSession }>> {
  const started = await startSeamlessSession(deps.db, {
    tokenSha256: sha256Of(sessionID),
    operatorID: operator.operatorID,
    externalID: verified.playerID,
    currency: verified.currency,
    gameID,
    gameVersion,
    launchCountry: launch?.country,
    country: verified.country,
    limits: verified.limits,
    maxStake: verified.maxStake,
    jurisdictions: [verified.jurisdiction ?? {}, launch?.jurisdiction ?? {}],
    draws: launch?.draws,
    walletUnit: unit === 1 ? undefined : unit,
    walletToken:
      operator.keepsTokens && token !== undefined
        ? sealWalletToken(deps.db.secretKeys, token, operator.code)
        : undefined,
  });
  if (!started.ok) {
    const { refusal, detail } = started;
    log.warn({ operator: operator.code, gameID, refusal, detail }, 'a session cannot be played');
    if (refusal === 'other_cell') {
      return { ok: false, refusal, detail: `the player is of cell ${started.cellName}: launch with its playerID` };
    }
    if (refusal !== 'rtp_too_low') return { ok: false, refusal: 'game_not_offered' };
    return { ok: false, refusal, ...(detail !== undefined && { detail }) };
  }
  deps.sessions.issued(sessionID);
  const session = await deps.sessions.find(sessionID, span);
  if (session === undefined) throw new Error('a session that was just stored is missing');
  return { ok: true, session: { ...session, sessionID, verified } };
}

/**
 * Finds the game of a session without a launch: the default game of the operator, or the only game
 * that is served.
 */
async function gameWithoutLaunch({ db, catalogue }: ResolveDeps, { defaultGame }: WalletOperator) {
  const hasOneGame = new Set(catalogue.games.map(({ gameID }) => gameID)).size === 1;
  const current = defaultGame === undefined && !hasOneGame ? undefined : catalogue.current(defaultGame);
  if (current === undefined) return undefined;
  const available = (await availableGames(db, catalogue)).find(({ gameID }) => gameID === current.gameID);
  return { gameID: current.gameID, gameVersion: (available ?? current).version };
}
