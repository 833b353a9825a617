import { OPERATOR_HEADER, OPERATOR_ROUTES } from '@roundhouse/contract';
import type { NextFunction, Request, Response } from 'express';
import { isLargeBody, readLargeBodies } from '../../base/http/largeBodies.ts';
import { readBytes } from '../../base/http/readBody.ts';
import type { OperatorDirectory } from '../../store/operators/operatorDirectory.ts';

/** The number of large bodies at the same time: they take 16 MiB of memory at most. */
const MAX_AT_ONCE = 4;

/**
 * Returns the reader of operators' bodies. Only the request that gives grants may be large, and
 * only if it names an operator that can sign.
 */
export function createBodyReader(operators: Pick<OperatorDirectory, 'find'>) {
  const readLarge = readLargeBodies({ who: 'server', atOnce: MAX_AT_ONCE });
  const mayBeLarge = async (req: Request) => {
    const { path } = OPERATOR_ROUTES.giveGrants;
    if (req.method !== 'POST' || req.originalUrl !== path || !isLargeBody(req)) return false;
    const { known } = await operators.find(req.get(OPERATOR_HEADER) ?? '');
    return ((await known?.caller())?.secrets ?? []).length > 0;
  };
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    ((await mayBeLarge(req)) ? readLarge : readBytes)(req, res, next);
  };
}
