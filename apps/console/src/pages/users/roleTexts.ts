import type { Role } from '@roundhouse/contract/admin-routes';

/** What each role may do, for the administrator who gives it. */
export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  viewer: 'Reads everything except reports, events and users.',
  support: 'Voids and completes rounds, retries wallet transactions, sets player limits, gives free rounds.',
  finance: 'Settles and retries wallet transactions, reconciles, reads reports.',
  compliance: 'Reads and verifies significant events, sets player limits, reads reports.',
  gameManager: 'Withdraws and reinstates games, sets maintenance, gives free rounds, reads reports.',
  administrator: 'Does all this, and manages operators, secrets and users.',
};
