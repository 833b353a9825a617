import type { TroubleKind, TroubleRemedy } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';

/** What has happened and what the player can do. */
export const TROUBLE_TEXTS: Readonly<Record<TroubleKind, { title: TextKey; note: TextKey }>> = {
  sessionOver: { title: 'troubleSessionOver', note: 'troubleSessionOverNote' },
  insufficientFunds: { title: 'troubleInsufficientFunds', note: 'troubleInsufficientFundsNote' },
  limitReached: { title: 'troubleLimitReached', note: 'troubleLimitReachedNote' },
  notAllowedHere: { title: 'troubleNotAllowedHere', note: 'troubleNotAllowedHereNote' },
  maintenance: { title: 'troubleMaintenance', note: 'troubleMaintenanceNote' },
  serverTrouble: { title: 'troubleServerTrouble', note: 'troubleServerTroubleNote' },
  noNetwork: { title: 'troubleNoNetwork', note: 'troubleNoNetworkNote' },
  badRequest: { title: 'troubleBadRequest', note: 'troubleBadRequestNote' },
  badLaunch: { title: 'troubleBadLaunch', note: 'troubleBadLaunchNote' },
  replayNotFound: { title: 'troubleReplayNotFound', note: 'troubleReplayNotFoundNote' },
  noWebGl: { title: 'troubleNoWebGl', note: 'troubleNoWebGlNote' },
};

/** The label of the button. A trouble without a remedy here has none. */
export const REMEDY_TEXTS: Readonly<Record<Exclude<TroubleRemedy, 'none'>, TextKey>> = {
  again: 'tryAgain',
  close: 'close',
  reload: 'reload',
};
