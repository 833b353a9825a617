import type { FailureKind, FailureRemedy } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';

/** What has happened and what the player can do. */
export const FAILURE_TEXTS: Readonly<Record<FailureKind, { title: TextKey; note: TextKey }>> = {
  sessionOver: { title: 'failureSessionOver', note: 'failureSessionOverNote' },
  insufficientFunds: { title: 'failureInsufficientFunds', note: 'failureInsufficientFundsNote' },
  limitReached: { title: 'failureLimitReached', note: 'failureLimitReachedNote' },
  notAllowedHere: { title: 'failureNotAllowedHere', note: 'failureNotAllowedHereNote' },
  maintenance: { title: 'failureMaintenance', note: 'failureMaintenanceNote' },
  serverFailure: { title: 'failureServerFailure', note: 'failureServerFailureNote' },
  noNetwork: { title: 'failureNoNetwork', note: 'failureNoNetworkNote' },
  badRequest: { title: 'failureBadRequest', note: 'failureBadRequestNote' },
  badLaunch: { title: 'failureBadLaunch', note: 'failureBadLaunchNote' },
  replayNotFound: { title: 'failureReplayNotFound', note: 'failureReplayNotFoundNote' },
  noWebGl: { title: 'failureNoWebGl', note: 'failureNoWebGlNote' },
};

/** The label of the button. A failure without a remedy here has none. */
export const REMEDY_TEXTS: Readonly<Record<Exclude<FailureRemedy, 'none'>, TextKey>> = {
  again: 'tryAgain',
  close: 'close',
  reload: 'reload',
};
