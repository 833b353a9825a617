import type { adminContract } from '@roundhouse/contract/admin';
import type { TwoPersonRouteName } from '@roundhouse/contract/admin-routes';
import type { Request, Response } from 'express';
import type { Handlers } from '../../../base/http/endpoints.ts';
import type { Database } from '../../../store/database/database.ts';
import type { AdminDeps } from '../adminDeps.ts';
import { operatorHandlers } from '../operatorHandlers.ts';
import { playerHandlers } from '../playerHandlers.ts';
import { roundHandlers } from '../roundHandlers.ts';
import { secretHandlers } from '../secretHandlers.ts';
import { userHandlers } from '../userHandlers.ts';
import { walletTransactionHandlers } from '../walletTransactionHandlers.ts';

/** A request as its handler gets it. */
export type WaitingRequest = { params: Record<string, string>; body: unknown; req: Request; res: Response };
export type WaitingResponse = { status: number; body: unknown };

/** Sends a request to its handler, within a transaction. */
export function handleWithin(
  deps: AdminDeps,
  within: Database,
  name: TwoPersonRouteName,
  request: WaitingRequest,
): Promise<WaitingResponse> {
  const handler = waitingHandlers({ ...deps, db: within })[name];
  return (handler as unknown as (request: WaitingRequest) => Promise<WaitingResponse>)(request);
}

/** Every request that may wait has its handler here, over a database that may be a transaction. */
function waitingHandlers(deps: AdminDeps): Pick<Handlers<typeof adminContract>, TwoPersonRouteName> {
  return {
    ...roundHandlers(deps),
    ...walletTransactionHandlers(deps),
    ...playerHandlers(deps),
    ...operatorHandlers(deps),
    ...secretHandlers(deps),
    ...userHandlers(deps),
  };
}
