import { initContract } from '@ts-rest/core';
import { accountRoutes } from './account.ts';
import { approvalRoutes } from './approvals.ts';
import { downloadRoutes } from './downloads.ts';
import { eventRoutes, eventStreams } from './events.ts';
import { freeRoundRoutes } from './freeRounds.ts';
import { gameRoutes } from './games.ts';
import { operatorRoutes, operatorStreamRoutes } from './operators.ts';
import { overviewRoutes, overviewStreams } from './overview.ts';
import { playerRoutes } from './players.ts';
import { reconcileStreams } from './reconcile.ts';
import { reportRoutes } from './reports.ts';
import { roundRoutes } from './rounds.ts';
import { searchRoutes } from './search.ts';
import { userRoutes } from './users.ts';
import { walletTransactionRoutes } from './walletTransactions.ts';

const contract = initContract();
const OPTIONS = { strictStatusCodes: true } as const;

/** The console sends these requests, each with the session of a user. */
export const adminContract = contract.router(
  {
    ...accountRoutes,
    ...approvalRoutes,
    ...userRoutes,
    ...playerRoutes,
    ...roundRoutes,
    ...walletTransactionRoutes,
    ...eventRoutes,
    ...freeRoundRoutes,
    ...reportRoutes,
    ...gameRoutes,
    ...operatorRoutes,
    ...overviewRoutes,
    ...searchRoutes,
  },
  OPTIONS,
);

/** The responses of these requests are sent while they are made: lines, files, live events. */
export const adminStreamContract = contract.router(
  {
    ...reconcileStreams,
    ...eventStreams,
    ...downloadRoutes,
    ...operatorStreamRoutes,
    ...overviewStreams,
  },
  OPTIONS,
);
