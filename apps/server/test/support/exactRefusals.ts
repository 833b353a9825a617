import type { ErrorBody } from '@roundhouse/contract';

/** An answer down to its last word. */
export type ExactRefusal = { status: number; body: ErrorBody };

export function invalid(message: string): ExactRefusal {
  return { status: 400, body: { error: 'ERR_VAL', message } };
}

/** Dev routes and unknown paths only: the five endpoints never answer 404. */
export function notFound(message: string): ExactRefusal {
  return { status: 404, body: { error: 'ERR_VAL', message } };
}

export const NOT_JSON = invalid('the body is not JSON');
export const NOT_UTF8 = invalid('the body is not UTF-8');
export const NOT_AN_OBJECT = invalid('the body is not a JSON object');
export const EMPTY_BODY = invalid('the body is empty');
export const TOO_LARGE = invalid('the body is larger than 16 KiB');
export const PACKED = invalid('the body has a Content-Encoding; it is taken as it is only');
export const UNREADABLE = invalid('the request cannot be read');
export const HEAD_TOO_LARGE = invalid('the head of the request is larger than 16 KiB');
export const TOO_LATE = invalid('the request did not arrive in time');
export const NO_HOST = invalid('the request has no Host');
export const SAME_KEY_TWICE = invalid('the body has the same key twice');
export const WRONG_METHOD = invalid('the method must be POST');
export const NO_SUCH_PATH = notFound('there is nothing at this path');

export const NO_SESSION: ExactRefusal = {
  status: 400,
  body: { error: 'ERR_IS', message: 'the session is not known, not authenticated, or has ended' },
};
export const KEY_REUSED = invalid('the Idempotency-Key was used for another bet');
export const UNKNOWN_MODE = invalid('the game has no such mode; it has BASE, ANTE, BONUS, AUTO');
export const ROUND_ACTIVE = invalid('a round is active');
export const NO_ACTIVE_ROUND = invalid('no round is active');
export const NEVER_PLAYED = invalid('there is no round to end');
export const TOO_POOR: ExactRefusal = {
  status: 400,
  body: { error: 'ERR_IPB', message: 'the balance does not cover the bet' },
};

export const SESSION_ID_LENGTH = invalid('sessionID: must have 1 to 256 characters');
export const MODE_LENGTH = invalid('mode: must have 1 to 64 characters');
export const EVENT_LENGTH = invalid('event: must have 1 to 1024 characters');
export const EVENT_NOT_STORABLE = invalid('event: must not hold U+0000 or half a surrogate pair');
export const KEY_LENGTH = invalid('idempotency-key: must have 1 to 128 characters');

/** A field of another type than the contract's. */
export function wrongType(field: string, expected: string, received: string): ExactRefusal {
  return invalid(`${field}: Invalid input: expected ${expected}, received ${received}`);
}
