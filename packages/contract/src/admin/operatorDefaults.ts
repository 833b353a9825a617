/**
 * The settings of a new operator, as the columns of `operators` give them. A test of the server
 * compares the two.
 */
export const OPERATOR_DEFAULTS = {
  sessionTimeoutMinutes: 30,
  sessionLifetimeMinutes: 24 * 60,
  allowedCountries: [],
  blockedCountries: [],
  completeRoundsAfterHours: null,
  walletUrl: null,
  walletTimeoutMs: 5_000,
  dialect: 'roundhouse',
  currencies: [],
  languages: [],
  defaultGame: null,
  isDefault: false,
  launchedOnly: false,
  freeRounds: false,
  maxFreeRounds: 100,
  closingDebits: false,
  draws: null,
};
