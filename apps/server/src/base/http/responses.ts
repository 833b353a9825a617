import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ERRORS, type ErrorBody, type ErrorCode } from '@roundhouse/contract';
import type { RequestHandler, Response } from 'express';
import type { Refusal, Refused } from '../refusal.ts';

/**
 * This is the one table from a refusal to its response. Total by its type: a new refusal without a
 * response does not compile.
 */
const RESPONSES: Readonly<Record<Refusal, { code: ErrorCode; message: string; isBrief?: true }>> = {
  server_maintenance: { code: 'ERR_MAINTENANCE', message: 'the server is under planned maintenance' },
  session_invalid: { code: 'ERR_IS', message: 'the session is not known, not authenticated, or has ended' },
  not_served: { code: 'ERR_IS', message: 'the game version of the session is not served here' },
  login_expired: { code: 'ERR_ATE', message: 'the login of the player has expired' },
  location_forbidden: { code: 'ERR_LOC', message: 'play is not allowed from the location of the player' },
  key_reused: { code: 'ERR_VAL', message: 'the Idempotency-Key was used for another bet' },
  round_voided: { code: 'ERR_VAL', message: 'the operator voided the round of this Idempotency-Key' },
  bet_refused: { code: 'ERR_VAL', message: 'the bet is not allowed' },
  // openRound plays a free round then.
  free_round: { code: 'ERR_GEN', message: 'the bet is one of a grant' },
  grant_unknown: { code: 'ERR_VAL', message: 'the player has no such grant for this game' },
  grant_mismatch: { code: 'ERR_VAL', message: 'the grant is for another game, mode or amount' },
  grant_over: { code: 'ERR_VAL', message: 'the grant has not begun, has ended, or has no round left' },
  grants_off: { code: 'ERR_VAL', message: "the operator's wallet does not know free rounds" },
  stake_limit: { code: 'ERR_VAL', message: 'the bet costs more than the maximum stake of the session' },
  round_active: { code: 'ERR_VAL', message: 'a round is active' },
  round_settling: { code: 'ERR_GEN', message: 'the bet of an earlier round is still being settled' },
  too_early: { code: 'ERR_VAL', message: 'the last round began less than the minimum round duration ago' },
  never_played: { code: 'ERR_VAL', message: 'there is no round to end' },
  no_active_round: { code: 'ERR_VAL', message: 'no round is active' },
  too_many_events: { code: 'ERR_VAL', message: 'the round has 1000 events, which is the most that a round may have' },
  too_much_event_text: {
    code: 'ERR_VAL',
    message: 'the events of the round have 1 MiB of text, which is the most that a round may have',
  },
  bet_limit: { code: 'ERR_GLE', message: 'the bet exceeds the limit of the operator' },
  wager_limit: { code: 'ERR_GLE', message: 'the daily wager limit would be exceeded' },
  loss_limit: { code: 'ERR_GLE', message: 'the daily loss limit would be exceeded' },
  balance_too_low: { code: 'ERR_IPB', message: 'the balance does not cover the bet' },
  balance_overflow: { code: 'ERR_GEN', message: 'the balance cannot hold the payout; the round stays active' },
  operator_limit: { code: 'ERR_GLE', message: 'the operator refused the bet by a gambling limit' },
  operator_maintenance: { code: 'ERR_MAINTENANCE', message: 'the operator is under planned maintenance' },
  game_maintenance: { code: 'ERR_MAINTENANCE', message: 'this game is under planned maintenance' },
  game_not_offered: { code: 'ERR_GEN', message: 'the game is not offered in the currency of the player' },
  rtp_too_low: { code: 'ERR_LOC', message: 'the game returns less than the jurisdiction demands' },
  other_cell: { code: 'ERR_VAL', message: 'the player is of another cell: launch with its playerID' },
  wallet_refused: { code: 'ERR_GEN', message: 'the wallet of the operator refused the request; no money moved' },
  wallet_uncertain: {
    code: 'ERR_GEN',
    message: 'wallet outcome unknown; recovery in progress',
  },
  player_unconfirmed: {
    code: 'ERR_GEN',
    message: 'the wallet of the operator gives no readable response to who the player is; no money moved',
  },
  balance_unknown: {
    code: 'ERR_GEN',
    message: 'the wallet of the operator gives no readable balance; reading it moves no money',
  },
  // The wallet gets no requests for two seconds, or too many already wait for it.
  wallet_down: {
    code: 'ERR_GEN',
    message: 'the wallet of the operator does not respond; no money moved',
    isBrief: true,
  },
  // play draws again then, a bounded number of times.
  nonce_moved: { code: 'ERR_GEN', message: 'other plays took the nonces of this one; nothing was stored' },
  client_seed_missing: {
    code: 'ERR_VAL',
    message: 'the player has set no client seed: send /fairness/client-seed first',
  },
  seeds_in_use: { code: 'ERR_VAL', message: 'a round is active: no seed changes before it has ended' },
  seed_unused: { code: 'ERR_VAL', message: 'no round was drawn by the server seed in use: play before it is revealed' },
  seed_unknown: { code: 'ERR_VAL', message: 'the player has no server seed of this hash in use or revealed' },
};

/** isBrief: the same request may succeed soon, and the client learns when. */
export type ErrorResponse = { status: 400 | 500; body: ErrorBody; isBrief?: boolean };

/** The time after which the same request may succeed. */
const RETRY_AFTER_SECONDS = 2;

export function errorResponse(code: ErrorCode, message: string, isBrief = false): ErrorResponse {
  return { status: ERRORS[code].status, body: { error: code, message }, isBrief };
}

export function refusalResponse({ refusal, detail }: Refused): ErrorResponse {
  const { code, message, isBrief } = RESPONSES[refusal];
  return errorResponse(code, detail ?? message, isBrief);
}

export function notFoundResponse(message: string): { status: 404; body: ErrorBody } {
  return { status: 404, body: errorResponse('ERR_VAL', message).body };
}

export type OkResponse<Body> = { status: 200; body: Body };

export function ok<Body>(body: Body): OkResponse<Body> {
  return { status: 200, body };
}

/** The JSON of this 200 is written already, in pieces. Its buffers are sent byte for byte. */
export type JsonResponse = { status: 200; json: readonly (string | Buffer)[] };

/** This 200 is a JSON file that is written while it is sent. */
export type FileResponse = { status: 200; file: { name: string; text: AsyncIterable<string> } };

/**
 * Sends a file as its reader takes it, and ends the writing when the reader goes. A failure in the
 * middle cuts the connection, so that nobody takes a part for the whole.
 */
export async function sendFile(res: Response, { file: { name, text } }: FileResponse): Promise<void> {
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  try {
    await pipeline(Readable.from(text, { objectMode: false }), res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** All other JSON leaves this server here. The code of an error goes to the request log. */
export function sendJson(
  res: Response,
  response: { status: number; body: unknown; isBrief?: boolean } | JsonResponse,
): void {
  const { status } = response;
  if (!('json' in response)) {
    res.locals.error = (response.body as { error?: string } | undefined)?.error;
    if (response.isBrief) res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  }
  const body = 'json' in response ? joined(response.json) : Buffer.from(JSON.stringify(response.body));
  // res.json() and res.send() would look up the media type anew for each response.
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.statusCode = status;
  res.end(body);
}

function joined(pieces: JsonResponse['json']): Buffer {
  const all = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += typeof piece === 'string' ? all.write(piece, at) : piece.copy(all, at);
  return all;
}

/** Responds to a path that names nothing. */
export const notFound: RequestHandler = (_req, res) => sendJson(res, notFoundResponse('there is nothing at this path'));
