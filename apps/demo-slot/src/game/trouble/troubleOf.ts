import { isRgsError, type RgsErrorKind } from '@roundhouse/sdk';
import type { Dialog, TroubleKind, TroubleRemedy } from '../model.ts';

export type Trouble = Extract<Dialog, { kind: 'trouble' }>;

/**
 * What each error of the client means to the player and what the player can do. A new kind of error
 * does not compile until it is here.
 */
const TROUBLES: Readonly<Record<RgsErrorKind, { trouble: TroubleKind; remedy: TroubleRemedy }>> = {
  'session-over': { trouble: 'sessionOver', remedy: 'none' },
  'insufficient-funds': { trouble: 'insufficientFunds', remedy: 'close' },
  'limit-reached': { trouble: 'limitReached', remedy: 'close' },
  'not-allowed-here': { trouble: 'notAllowedHere', remedy: 'none' },
  'bad-request': { trouble: 'badRequest', remedy: 'close' },
  maintenance: { trouble: 'maintenance', remedy: 'again' },
  'server-trouble': { trouble: 'serverTrouble', remedy: 'again' },
  'no-network': { trouble: 'noNetwork', remedy: 'again' },
  'launch-url': { trouble: 'badLaunch', remedy: 'none' },
};

export function troubleOf(error: unknown): Trouble {
  // Any other error is a bug. Authenticating again helps then, too.
  if (!isRgsError(error)) return troubleDialog('serverTrouble', 'again');
  const { trouble, remedy } = TROUBLES[error.kind];
  return { kind: 'trouble', trouble, remedy, requestId: error.requestId };
}

export function troubleDialog(trouble: TroubleKind, remedy: TroubleRemedy): Trouble {
  return { kind: 'trouble', trouble, remedy, requestId: undefined };
}
