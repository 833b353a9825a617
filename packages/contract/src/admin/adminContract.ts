import { initContract } from '@ts-rest/core';
import { accountRoutes } from './account.ts';
import { approvalRoutes } from './approvals.ts';

/** The console sends these requests, each with the session of a user. */
export const adminContract = initContract().router(
  {
    ...accountRoutes,
    ...approvalRoutes,
  },
  { strictStatusCodes: true },
);
