import { performanceDownload, revenueDownload } from './reportTables.ts';
import { type Table, tableOf } from './table.ts';

const reports: Record<string, Table> = {
  revenue: revenueDownload,
  performance: performanceDownload,
  rtp: tableOf('getRtpReport', {
    columns: [
      ...(['game', 'version', 'mode', 'currency', 'status', 'rounds', 'bets', 'payouts'] as const),
      ...(['rtp', 'theoreticalRtp', 'zScore', 'low', 'high', 'roundsForOnePoint'] as const),
      ...(['voidRounds', 'voidBets', 'openRounds', 'openBets', 'openPayouts'] as const),
      ...(['freeRounds', 'freeBets', 'freePayouts', 'availableSince', 'withdrawnAt'] as const),
    ],
    amounts: ['bets', 'payouts', 'voidBets', 'openBets', 'openPayouts', 'freeBets', 'freePayouts'],
  }),
  interruptedRounds: tableOf('listInterruptedRounds', {
    columns: [
      ...(['betID', 'operator', 'playerID', 'gameID', 'mode', 'currency', 'debit', 'payout'] as const),
      ...(['grantID', 'activeAt', 'dueAt'] as const),
    ],
    amounts: ['debit', 'payout'],
  }),
};

const play: Record<string, Table> = {
  rounds: tableOf('listRounds', {
    columns: [
      ...(['betID', 'operator', 'playerID', 'sessionNumber', 'gameID', 'gameVersion', 'mode', 'currency'] as const),
      ...(['amount', 'debit', 'freeBet', 'payout', 'grantID', 'state', 'interrupted'] as const),
      ...(['openedAt', 'closedAt', 'autoCompletedAt', 'country', 'bookID', 'payoutMultiplier'] as const),
    ],
    amounts: ['amount', 'debit', 'freeBet', 'payout'],
    estimateOf: ['rounds', 'archived_rounds'],
  }),
  players: tableOf('listPlayers', {
    columns: ['operator', 'playerID', 'country', 'currencies', 'createdAt', 'loginExpiresAt'],
    estimateOf: ['players'],
  }),
  playerSessions: tableOf('listPlayerSessions', {
    columns: [
      ...(['sessionNumber', 'gameID', 'gameVersion', 'currency', 'country', 'state'] as const),
      ...(['createdAt', 'expiresAt', 'lastActiveAt', 'maxStake'] as const),
    ],
    amounts: ['maxStake'],
  }),
  walletTransactions: tableOf('listWalletTransactions', {
    columns: [
      ...(['transactionID', 'kind', 'state', 'operator', 'playerID', 'gameID', 'betID', 'amount', 'currency'] as const),
      ...(['debitTransactionID', 'attempts', 'resultCode', 'httpStatus', 'resultDetail', 'resultAt'] as const),
      ...(['reference', 'createdAt', 'dueAt', 'retryUntil', 'settledAt', 'settledBy', 'settlementNote'] as const),
    ],
    amounts: ['amount'],
  }),
};

const freeRounds: Record<string, Table> = {
  campaigns: tableOf('listCampaigns', {
    columns: [
      ...(['operator', 'campaignID', 'state', 'gameIDs', 'mode', 'bets', 'rounds', 'automatic', 'paidAtEnd'] as const),
      ...(['startsAt', 'endsAt', 'playWithinHours', 'createdAt'] as const),
    ],
    amounts: ['bets'],
  }),
  grants: tableOf('listGrants', {
    columns: [
      ...(['grantID', 'campaignID', 'playerID', 'currency', 'gameIDs', 'mode', 'amount', 'state'] as const),
      ...(['given', 'used', 'left', 'expired', 'cancelled', 'won'] as const),
      ...(['startsAt', 'expiresAt', 'createdAt', 'endedAt'] as const),
    ],
    amounts: ['amount', 'won'],
  }),
};

const offer: Record<string, Table> = {
  games: tableOf('listGames', {
    columns: ['gameID', 'title', 'version', 'versions', 'state', 'maintenance', 'publishedAt'],
  }),
  operators: tableOf('listOperators', {
    columns: ['code', 'name', 'isDisabled', 'walletUrl', 'dialect', 'currencies'],
  }),
};

const staff: Record<string, Table> = {
  events: tableOf('listEvents', {
    columns: ['seq', 'at', 'actor', 'kind', 'subject', 'before', 'after', 'hash'],
    estimateOf: ['significant_events'],
  }),
  users: tableOf('listUsers', {
    columns: [
      ...(['userID', 'email', 'name', 'role', 'operator', 'isDisabled', 'hasAccount', 'hasSecondFactor'] as const),
      ...(['passkeys', 'sessions', 'lastSignedInAt', 'createdAt'] as const),
    ],
  }),
  approvals: tableOf('listApprovals', {
    columns: [
      ...(['approvalID', 'route', 'subject', 'what', 'details', 'operator', 'state', 'requestedBy'] as const),
      ...(['requestedAt', 'expiresAt', 'decidedBy', 'decidedAt', 'reason', 'outcome', 'secret'] as const),
    ],
  }),
};

/**
 * The tables that can be downloaded, by the name in the address. Each list of the console has one.
 */
export const TABLES: Readonly<Record<string, Table>> = { ...reports, ...play, ...freeRounds, ...offer, ...staff };
