import { OPERATOR_HEADER, OPERATOR_ROUTES } from '@roundhouse/contract';
import type { NextFunction, Request, Response } from 'express';
import { MAX_BODY_BYTES, readBytes, readUpTo } from '../http/readBody.ts';
import { errorResponse, sendJson } from '../http/responses.ts';
import type { LookUps } from '../ledger/ledger.ts';

/** A request for 10,000 grants is this large at most, with the longest ids in ASCII. */
const MAX_LARGE_BODY_BYTES = 4 * 1024 * 1024;
/** Bodies are read before their signature is checked, so this bounds their memory: to 16 MiB. */
const MAX_AT_ONCE = 4;

/**
 * Returns the reader of operators' bodies. The request that gives grants may be large, if it names
 * an operator that can sign and its Content-Length says how large it is.
 */
export function createBodyReader({ operator }: Pick<LookUps, 'operator'>) {
  const readLarge = readUpTo(MAX_LARGE_BODY_BYTES);
  let inUse = 0;
  const isLarge = async (req: Request) => {
    const { path } = OPERATOR_ROUTES.giveGrants;
    if (req.method !== 'POST' || req.originalUrl !== path) return false;
    if (!(Number(req.headers['content-length']) > MAX_BODY_BYTES)) return false;
    return ((await operator(req.get(OPERATOR_HEADER) ?? ''))?.secrets ?? []).length > 0;
  };
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    if (!(await isLarge(req))) return void readBytes(req, res, next);
    if (inUse >= MAX_AT_ONCE) {
      const message = 'the server reads too many large requests at the moment; nothing was done';
      // Nobody reads the body, so the connection cannot be used again.
      return sendJson(res.set('Connection', 'close'), errorResponse('ERR_GEN', message, true));
    }
    inUse += 1;
    res.once('close', () => {
      inUse -= 1;
    });
    readLarge(req, res, next);
  };
}
