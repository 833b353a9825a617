import type { Logger } from 'pino';
import type { Catalogue } from '../games/catalogue.ts';
import type { Database } from '../ledger/database.ts';
import type { LookUps } from '../ledger/lookUps.ts';
import type { WalletOperator } from '../ledger/queries/operators.ts';
import type { LaunchRecord } from '../ledger/queries/sessions.ts';
import { startSeamlessSession } from '../ledger/queries/startSession.ts';
import type { Outcome, Refused } from '../ledger/refusal.ts';
import type { BearerSession } from '../wallets/wallet.ts';
import { openToken } from './sealedToken.ts';
import type { SessionDirectory } from './sessionDirectory.ts';
import { sha256Of } from './sessionToken.ts';
import type { SessionVerification } from './sessionVerification.ts';
import type { Strangers } from './strangers.ts';

export type ResolveDeps = {
  db: Database;
  catalogue: Catalogue;
  sessions: SessionDirectory;
  strangers: Strangers;
  lookUps: LookUps;
  verifySession: SessionVerification;
  log: Logger;
};

const UNKNOWN: Refused = { ok: false, refusal: 'session' };

/**
 * The session of an authenticate. One that this server has never seen is offered to the operator whose launch it was, else to the one
 * named by its prefix ("acme:…"), else to the default operator : its verification says who the player is.
 */
export async function resolveSession(
  parts: ResolveDeps,
  { sessionID, address }: { sessionID: string; address: string | undefined },
): Promise<Outcome<{ session: BearerSession }>> {
  const found = await parts.sessions.lookUp(sessionID);
  if (found.kind === 'session') return { ok: true, session: { ...found.session, sessionID } };
  const launch = found.kind === 'launch' ? found.launch : undefined;
  if (launch?.revoked || (launch !== undefined && launch.expiresAt.getTime() <= Date.now())) return UNKNOWN;
  const operatorID = found.kind === 'launch' ? found.launch.operatorID : found.offeredTo;
  if (operatorID === undefined) return UNKNOWN;
  if (launch === undefined) await parts.strangers.admit(address);
  const operator = await parts.lookUps.walletOperator(operatorID);
  if (operator === undefined || (operator.launchedOnly && launch === undefined)) return UNKNOWN;
  if (operator.isDisabled) return { ok: false, refusal: 'operator_maintenance' };
  return offer(parts, sessionID, { operator, launch });
}

type Offer = { operator: WalletOperator; launch: LaunchRecord | undefined };

async function offer(
  parts: ResolveDeps,
  sessionID: string,
  { operator, launch }: Offer,
): Promise<Outcome<{ session: BearerSession }>> {
  const game = launch ?? gameWithoutLaunch(parts.catalogue, operator);
  if (game === undefined) {
    parts.log.warn(
      { operator: operator.code },
      'a session without a launch does not say its game, and the operator has no default game',
    );
    return UNKNOWN;
  }
  const { gameID, gameVersion } = game;
  const token = launch && { token: openToken(launch.sealedToken, sessionID) };
  const answer = await parts.verifySession(operator, { sessionID, gameID, ...token });
  if (!answer.ok) return answer;
  const { verified } = answer;
  if (launch?.externalID !== undefined && launch.externalID !== verified.playerID) {
    parts.log.warn({ operator: operator.code }, 'the operator names another player than its launch did');
    return UNKNOWN;
  }
  const started = await startSeamlessSession(parts.db, {
    tokenSha256: sha256Of(sessionID),
    operatorID: operator.operatorID,
    externalID: verified.playerID,
    currency: verified.currency,
    gameID,
    gameVersion,
    launchCountry: launch?.country,
    country: verified.country,
    limits: verified.limits,
    jurisdictions: [verified.jurisdiction ?? {}, launch?.jurisdiction ?? {}],
  });
  if (!started.ok) {
    parts.log.warn({ operator: operator.code, gameID, refusal: started.refusal }, 'a session cannot be played');
    return { ok: false, refusal: 'wallet_refused', detail: 'the game is not offered in the currency of the player' };
  }
  parts.sessions.issued(sessionID);
  const session = await parts.sessions.find(sessionID);
  if (session === undefined) throw new Error('a session that was just made is not there');
  return { ok: true, session: { ...session, sessionID, verified } };
}

/** A session that comes without a launch does not say its game: it is the operator's default one, or the only one that there is. */
function gameWithoutLaunch(catalogue: Catalogue, { defaultGame }: WalletOperator) {
  const hasOneGame = new Set(catalogue.games.map(({ gameID }) => gameID)).size === 1;
  const game = defaultGame === undefined && !hasOneGame ? undefined : catalogue.current(defaultGame);
  return game && { gameID: game.gameID, gameVersion: game.version };
}
