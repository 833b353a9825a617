import { randomBytes } from 'node:crypto';
import type { CreateSessionRequest, CreateSessionResponse, PartialJurisdiction } from '@roundhouse/contract';
import type { CasinoDeps } from '../http/httpDeps.ts';
import { addSession, removeSession } from '../ledger/sessions.ts';
import { openAccount } from './players.ts';

const SECRET_BYTES = 32;

export type LaunchRequest = {
  playerID: string;
  gameID: string;
  currency: CreateSessionRequest['currency'];
  lang: string;
  device: string;
  social?: boolean | undefined;
  country?: string | undefined;
  jurisdiction?: PartialJurisdiction | undefined;
};

/**
 * Opens a game for a player. The session is ours and is written down before the server hears of it, because the server may ask about
 * it before its answer is here.
 */
export async function launch(
  { books, house, rgs, operator }: CasinoDeps,
  { country, social, jurisdiction = {}, ...launched }: LaunchRequest,
): Promise<CreateSessionResponse> {
  // The prefix says whose session it is, so that a server that has lost it knows whom to ask.
  const sessionID = `${operator.code}:${unguessable()}`;
  const token = unguessable();
  const accountId = await openAccount(books, launched);
  await addSession(books.db, {
    sessionID,
    token,
    accountId,
    gameID: launched.gameID,
    country,
    jurisdiction,
    timeoutMs: house.sessionTimeoutMs,
  });
  try {
    return await rgs.createSession({
      ...launched,
      sessionID,
      token,
      jurisdiction,
      ...(country !== undefined && { country }),
      ...(social !== undefined && { social }),
    });
  } catch (error) {
    await removeSession(books.db, sessionID);
    throw error;
  }
}

function unguessable(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
