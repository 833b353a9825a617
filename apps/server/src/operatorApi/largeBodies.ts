import { OPERATOR_HEADER, OPERATOR_ROUTES } from '@roundhouse/contract';
import type { NextFunction, Request, Response } from 'express';
import { isLargeBody, readLargeBodies } from '../http/largeBodies.ts';
import { readBytes } from '../http/readBody.ts';
import type { LookUps } from '../ledger/ledger.ts';

/** Large bodies take 16 MiB of memory at most. */
const MAX_AT_ONCE = 4;

/**
 * Returns the reader of operators' bodies. The request that gives grants may be large, if it names
 * an operator that can sign.
 */
export function createBodyReader({ operator }: Pick<LookUps, 'operator'>) {
  const readLarge = readLargeBodies({ who: 'server', atOnce: MAX_AT_ONCE });
  const mayBeLarge = async (req: Request) => {
    const { path } = OPERATOR_ROUTES.giveGrants;
    if (req.method !== 'POST' || req.originalUrl !== path || !isLargeBody(req)) return false;
    return ((await operator(req.get(OPERATOR_HEADER) ?? ''))?.secrets ?? []).length > 0;
  };
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    ((await mayBeLarge(req)) ? readLarge : readBytes)(req, res, next);
  };
}
