import type { InboundResponse } from '@roundhouse/dialects';
import { dialectOf } from '@roundhouse/dialects';
import { loggedAs, type TraceSpan, tracedLog } from '@roundhouse/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { noStore } from '../../base/http/endpoints.ts';
import { readUpTo } from '../../base/http/readBody.ts';
import type { AddressLimit } from '../../rounds/sessions/addressLimit.ts';
import { connectionOf } from '../../rounds/wallets/seamless/walletClient.ts';
import type { KnownOperator, OperatorDirectory } from '../../store/operators/operatorDirectory.ts';
import { askedOf, nameCell, nameFleet } from '../api/misdirected.ts';
import { createDialectServer, type DialectServerDeps } from './dialectServer.ts';

export type DialectDeps = Omit<DialectServerDeps, 'trace' | 'asked' | 'misdirected'> & {
  operators: Pick<OperatorDirectory, 'find'>;
  /** Limits the requests of one address that have no valid signature. */
  unsignedLimit: AddressLimit;
  log: Logger;
  /** Called for each request without a valid signature. operator is the code of a known one. */
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

function respond({ operators, unsignedLimit, log, signatureRefused = () => {}, ...deps }: DialectDeps): RequestHandler {
  type Call = { req: Request; res: Response; path: string };
  /**
   * Responds by the keys and settings of the operator; undefined when it serves no such requests.
   */
  const responseBy = async (known: KnownOperator | undefined, { req, res, path }: Call) => {
    const trace: TraceSpan | undefined = res.locals.trace;
    const wallet = await known?.wallet();
    const connection = wallet && connectionOf(wallet);
    if (wallet === undefined || connection?.receive === undefined) return undefined;
    const operator = await known?.caller();
    if (operator === undefined) return undefined;
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
    return connection.receive({ method, path, headers, body, address }, server);
  };

  const responseTo = async (req: Request, res: Response): Promise<InboundResponse | undefined> => {
    const [, code = '', path = '/'] = /^\/([a-z0-9-]{1,64})(\/.*)$/.exec(req.url) ?? [];
    if (code === '') return undefined;
    const { known } = await operators.find(code);
    const response = await responseBy(known, { req, res, path });
    if (response?.refused !== undefined) {
      signatureRefused({ operator: code, address: req.ip });
      // Anybody can send such requests, and each one writes a line.
      await unsignedLimit.admit(req.ip);
      // The path is left out: some dialects have a secret there.
      tracedLog(log, res.locals.trace).warn(
        { operator: code, refused: response.refused },
        'the owner of a wallet sent a request that is refused',
      );
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
