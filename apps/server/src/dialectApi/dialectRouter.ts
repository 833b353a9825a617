import { loggedAs, type TraceSpan, tracedLog } from '@roundhouse/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { noStore } from '../http/endpoints.ts';
import { readUpTo } from '../http/readBody.ts';
import type { LookUps } from '../ledger/ledger.ts';
import { askedOf, nameCell, nameFleet } from '../operatorApi/misdirected.ts';
import type { InboundResponse } from '../wallets/dialects/dialect.ts';
import { dialectOf } from '../wallets/dialects/dialects.ts';
import { connectionOf } from '../wallets/seamless/walletClient.ts';
import { createDialectServer, type DialectServerDeps } from './dialectServer.ts';

export type DialectDeps = Omit<DialectServerDeps, 'trace' | 'asked' | 'misdirected'> & {
  lookUps: Pick<LookUps, 'operator' | 'walletOperator'>;
  log: Logger;
  /** Runs for each request without a valid signature. operator is the code of a known one. */
  signatureRefused?: ((request: { operator: string | undefined; address: string | undefined }) => void) | undefined;
};

const ROOT = '/dialects';
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Serves the requests that the owners of wallets send in their own protocols, below
 * `/dialects/<operator code>`. The dialect of the operator checks the signature and responds.
 */
export function dialectRouter(deps: DialectDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(ROOT, loggedAs(`${ROOT}/*`), noStore, nameFleet(deps.db), readUpTo(MAX_BODY_BYTES), respond(deps));
  return router;
}

function respond({ lookUps, log, signatureRefused = () => {}, ...deps }: DialectDeps): RequestHandler {
  const responseTo = async (req: Request, res: Response): Promise<InboundResponse | undefined> => {
    const trace: TraceSpan | undefined = res.locals.trace;
    const [, code = '', path = '/'] = /^\/([a-z0-9-]{1,64})(\/.*)$/.exec(req.url) ?? [];
    const operator = code === '' ? undefined : await lookUps.operator(code);
    const wallet = operator?.isSeamless ? await lookUps.walletOperator(operator.operatorID) : undefined;
    const connection = wallet && connectionOf(wallet);
    if (operator === undefined || wallet === undefined || connection?.receive === undefined) return undefined;
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const { method, headers, ip: address } = req;
    const server = createDialectServer(
      { ...deps, log: tracedLog(log, trace), trace, asked: askedOf(req), misdirected: (to) => nameCell(res, to) },
      {
        operator,
        wallet,
        address,
        unitOf: connection.unitOf,
        leavesOutBets: connection.leavesOutBets,
        freeRounds: dialectOf(wallet.dialect).traits.freeRounds,
      },
    );
    const response = await connection.receive({ method, path, headers, body, address }, server);
    if (response.refused !== undefined) {
      // Not its path: some dialects have a secret there.
      tracedLog(log, trace).warn(
        { operator: code, refused: response.refused },
        'the owner of a wallet sent a request that is refused',
      );
      signatureRefused({ operator: code, address });
    }
    return response;
  };
  return (req, res, next) => {
    responseTo(req, res)
      .then((response) => {
        if (response === undefined) return next();
        const { status, headers = JSON_HEADERS, body } = response;
        res.status(status).set(headers).end(body);
      })
      .catch(next);
  };
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };
