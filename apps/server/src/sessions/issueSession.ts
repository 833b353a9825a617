import {
  buildLaunchUrl,
  type CurrencyCode,
  type Device,
  type Language,
  type Micros,
  type PartialJurisdiction,
} from '@roundhouse/contract';
import type { Database } from '../ledger/database.ts';
import { type StartSessionRefusal, startSession } from '../ledger/queries/startSession.ts';
import { newSessionID, sha256Of } from './sessionToken.ts';

/** The operator whose players' money is in our own database. */
export const HOUSE_OPERATOR = 'house';

export type SessionRequest = {
  operatorCode: string;
  playerExternalID: string;
  gameID: string;
  gameVersion: string;
  currency: CurrencyCode;
  country: string | undefined;
  social: boolean;
  openingBalance: Micros;
  setBalanceTo: Micros | undefined;
  jurisdiction: PartialJurisdiction;
  launch: { gameHost: string; rgsUrl: string; language: Language; device: Device };
};

export type IssueOutcome = { ok: true; sessionID: string; url: string } | { ok: false; refusal: StartSessionRefusal };

/**
 * Issues a session of the house wallet and builds its launch URL, as an operator platform does at
 * launch.
 */
export async function issueSession(db: Database, request: SessionRequest): Promise<IssueOutcome> {
  const sessionID = newSessionID();
  const jurisdiction = { ...(request.social && { socialCasino: true }), ...request.jurisdiction };
  const started = await startSession(db, {
    ...request,
    country: request.country?.toUpperCase(),
    jurisdiction,
    tokenSha256: sha256Of(sessionID),
  });
  if (!started.ok) return { ok: false, refusal: started.refusal };
  const { gameID, gameVersion, currency, social } = request;
  return {
    ok: true,
    sessionID,
    url: buildLaunchUrl({ ...request.launch, gameID, gameVersion, sessionID, currency, ...(social && { social }) }),
  };
}
