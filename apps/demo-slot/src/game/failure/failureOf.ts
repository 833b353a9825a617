import { isRgsError, type RgsErrorKind } from '@roundhouse/sdk';
import type { Dialog, FailureKind, FailureRemedy } from '../model.ts';

export type Failure = Extract<Dialog, { kind: 'failure' }>;

/**
 * What each error of the client means to the player and what the player can do. A new kind of error
 * does not compile until it is here.
 */
const FAILURES: Readonly<Record<RgsErrorKind, { failure: FailureKind; remedy: FailureRemedy }>> = {
  'session-over': { failure: 'sessionOver', remedy: 'none' },
  'insufficient-funds': { failure: 'insufficientFunds', remedy: 'close' },
  'limit-reached': { failure: 'limitReached', remedy: 'close' },
  'not-allowed-here': { failure: 'notAllowedHere', remedy: 'none' },
  'bad-request': { failure: 'badRequest', remedy: 'close' },
  maintenance: { failure: 'maintenance', remedy: 'again' },
  'server-error': { failure: 'serverFailure', remedy: 'again' },
  'no-network': { failure: 'noNetwork', remedy: 'again' },
  'launch-url': { failure: 'badLaunch', remedy: 'none' },
};

export function failureOf(error: unknown): Failure {
  // Any other error is a bug. Authenticating again helps then, too.
  if (!isRgsError(error)) return failureDialog('serverFailure', 'again');
  const { failure, remedy } = FAILURES[error.kind];
  return { kind: 'failure', failure, remedy, requestId: error.requestId };
}

export function failureDialog(failure: FailureKind, remedy: FailureRemedy): Failure {
  return { kind: 'failure', failure, remedy, requestId: undefined };
}
