import {
  NONCE_HEADER,
  OPERATOR_HEADER,
  type OperatorError,
  SIGNATURE_HEADER,
  type SignatureFault,
  signatureFault,
  TIMESTAMP_HEADER,
} from '@roundhouse/contract';
import type { Request, RequestHandler, Response } from 'express';
import type { HttpParts } from '../http/httpParts.ts';
import { parseBody, readBytes } from '../http/readBody.ts';
import type { Database } from '../ledger/database.ts';
import { type CallingOperator, takeNonce } from '../ledger/queries/operatorSecrets.ts';

const MS_PER_SECOND = 1000;

/** used before: a call of this nonce has been accepted already. */
type CallFault = SignatureFault | 'used before';

/** Who calls, once `signedByOperator` has let the call pass. */
export function callerOf(res: Response): CallingOperator {
  return res.locals.operator as CallingOperator;
}

/**
 * Lets a call pass when one of the secrets of the operator that it names has signed it, and reads its body only then. A call that can
 * change something passes once. Everything else is 401, whatever is wrong with the call besides.
 */
export function signedByOperator({ db, log, lookUps }: Pick<HttpParts, 'db' | 'log' | 'lookUps'>): RequestHandler {
  const check = async (req: Request, res: Response): Promise<boolean> => {
    const code = req.get(OPERATOR_HEADER);
    const operator = code === undefined ? undefined : await lookUps.operator(code);
    const fault = (await faultOf(req, operator?.secrets ?? [])) ?? (operator && (await repetition(db, req, operator)));
    if (fault !== undefined || operator === undefined) {
      log.warn(
        { requestId: res.locals.requestId, operator: operator?.code, fault },
        'a call without a valid signature',
      );
      res.status(401).json(unsigned(fault));
      return false;
    }
    res.locals.operator = operator;
    return true;
  };

  return (req, res, next) => {
    if (!hasHeaders(req)) return void res.status(401).json(unsigned('missing'));
    readBytes(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      check(req, res)
        .then((holds) => {
          if (!holds) return;
          req.body = req.method === 'POST' ? parseBody(req) : undefined;
          next();
        })
        .catch(next);
    });
  };
}

function hasHeaders(req: Request): boolean {
  return [OPERATOR_HEADER, TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER].every(
    (name) => req.get(name) !== undefined,
  );
}

/** Without an operator there is no secret that could have signed. */
function faultOf(req: Request, secrets: readonly string[]): Promise<SignatureFault | undefined> {
  const body = Buffer.isBuffer(req.body) ? new Uint8Array(req.body) : '';
  return signatureFault(
    { direction: 'to-rgs', method: req.method, path: req.originalUrl, body },
    { headers: req.headers, secrets, nowSeconds: Math.floor(Date.now() / MS_PER_SECOND) },
  );
}

/** Whoever has recorded a call could send it again: what changes nothing may come again, everything else is done once. */
async function repetition(
  db: Database,
  req: Request,
  { operatorID }: CallingOperator,
): Promise<'used before' | undefined> {
  if (req.method === 'GET') return undefined;
  const isNew = await takeNonce(db, { operatorID, nonce: req.get(NONCE_HEADER) ?? '' });
  return isNew ? undefined : 'used before';
}

/** An unknown operator is told the same as one whose secret did not sign. */
function unsigned(fault: CallFault | undefined): OperatorError {
  return { error: 'ERR_VAL', message: `the signature does not hold: ${fault ?? 'not by any of the secrets'}` };
}
