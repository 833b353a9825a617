import {
  NONCE_HEADER,
  OPERATOR_HEADER,
  type OperatorError,
  SIGNATURE_HEADER,
  type SignatureIssue,
  signatureIssue,
  TIMESTAMP_HEADER,
} from '@roundhouse/contract';
import { traceFields } from '@roundhouse/service';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { parseBody } from '../../base/http/readBody.ts';
import { sendJson } from '../../base/http/responses.ts';
import { makeSecret } from '../../base/seal.ts';
import type { AddressLimit } from '../../rounds/sessions/addressLimit.ts';
import type { Database } from '../../store/database/database.ts';
import type { OperatorDirectory } from '../../store/operators/operatorDirectory.ts';
import { type CallingOperator, takeNonce } from '../../store/operators/operatorSecrets.ts';
import type { LookUps } from '../../store/rounds/lookUps.ts';
import { createBodyReader } from './largeBodies.ts';

export type SignatureDeps = {
  db: Database;
  log: Logger;
  operators: OperatorDirectory;
  lookUps: Pick<LookUps, 'operator'>;
  /** Limits the requests of one address that have no valid signature. */
  unsignedLimit: AddressLimit;
  /** Called for each request without a valid signature. operator is the code of a known one. */
  signatureRefused?: ((request: { operator: string | undefined; address: string | undefined }) => void) | undefined;
};

const MS_PER_SECOND = 1000;

/** used before: a request with this nonce has already been accepted. */
type RequestIssue = SignatureIssue | 'used before';

/** Returns the operator that has signed this request, after `signedByOperator`. */
export function callerOf(res: Response): CallingOperator {
  return res.locals.operator as CallingOperator;
}

/**
 * Lets a request pass when a secret of its operator has signed it, and parses its body only then. A
 * request that can change something passes once. For any other request the response is 401,
 * whatever else is wrong with it.
 */
export function signedByOperator({
  db,
  log,
  operators,
  lookUps,
  unsignedLimit,
  signatureRefused = () => {},
}: SignatureDeps): RequestHandler {
  /**
   * Most requests without a valid signature cost the database nothing. All others are judged by a
   * new read: a removed secret signs nothing more, on any node.
   */
  const judged = async (req: Request, code: string): Promise<Judged> => {
    const { known, isFresh } = await operators.find(code);
    const judgedBy = async (caller: Promise<CallingOperator | undefined> | undefined): Promise<Judged> => {
      const operator = await caller;
      return { operator, issue: issueOf(req, operator?.secrets) };
    };
    const first = await judgedBy(known?.caller());
    if (isFresh) return first;
    if (first.operator !== undefined && first.issue === undefined) return judgedBy(lookUps.operator(code));
    const fresh = await operators.findFresh(code);
    return fresh === known ? first : judgedBy(fresh?.caller());
  };

  const check = async (req: Request, res: Response): Promise<boolean> => {
    const { operator, issue: unsignedBy } = await judged(req, req.get(OPERATOR_HEADER) ?? '');
    const issue = unsignedBy ?? (operator && (await repetition(db, req, operator)));
    if (issue !== undefined || operator === undefined) {
      signatureRefused({ operator: operator?.code, address: req.ip });
      await unsignedLimit.admit(req.ip);
      log.warn(
        { requestId: res.locals.requestId, operator: operator?.code, issue, ...traceFields(res.locals.trace) },
        'a request without a valid signature',
      );
      sendJson(res, unsigned(issue));
      return false;
    }
    res.locals.operator = operator;
    return true;
  };

  const readBody = createBodyReader(operators);
  return (req, res, next) => {
    if (!hasHeaders(req)) {
      signatureRefused({ operator: undefined, address: req.ip });
      return sendJson(res, unsigned('missing'));
    }
    readBody(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      check(req, res)
        .then((holds) => {
          if (!holds) return;
          req.body = req.method === 'POST' ? parseBody(req) : undefined;
          next();
        })
        .catch(next);
    }).catch(next);
  };
}

function hasHeaders(req: Request): boolean {
  return [OPERATOR_HEADER, TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER].every(
    (name) => req.get(name) !== undefined,
  );
}

type Judged = { operator: CallingOperator | undefined; issue: SignatureIssue | undefined };

/** A secret that nobody has. */
const NO_SECRET = [makeSecret()];

/**
 * An unknown operator, and one without a secret, take the same work, so the time does not tell
 * which.
 */
function issueOf(req: Request, known: readonly string[] = []): SignatureIssue | undefined {
  const secrets = known.length > 0 ? known : NO_SECRET;
  const body = Buffer.isBuffer(req.body) ? req.body : '';
  return signatureIssue(
    { direction: 'to-rgs', method: req.method, path: req.originalUrl, body },
    { headers: req.headers, secrets, nowSeconds: Math.floor(Date.now() / MS_PER_SECOND) },
  );
}

/** Anybody may resend a recorded request, so only a request that changes nothing may repeat. */
async function repetition(
  db: Database,
  req: Request,
  { operatorID }: CallingOperator,
): Promise<'used before' | undefined> {
  if (req.method === 'GET') return undefined;
  const isNew = await takeNonce(db, { operatorID, nonce: req.get(NONCE_HEADER) ?? '' });
  return isNew ? undefined : 'used before';
}

/** The message is the same for an unknown operator and for a wrong secret. */
function unsigned(issue: RequestIssue | undefined): { status: 401; body: OperatorError } {
  const message = `the signature does not hold: ${issue ?? 'not by any of the secrets'}`;
  return { status: 401, body: { error: 'ERR_VAL', message } };
}
