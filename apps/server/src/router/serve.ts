import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { OPERATOR_HEADER, SIGNATURE_HEADER } from '@roundhouse/contract';
import { CELL_HEADER, idOf } from '@roundhouse/fleet';
import type { Request, Response } from 'express';
import { InvalidRequest } from '../base/http/readBody.ts';
import { errorResponse, sendJson } from '../base/http/responses.ts';
import { type Asking, askInTurn } from './ask.ts';
import { type Answered, askAll } from './askAll.ts';
import type { CellResponse } from './cellClient.ts';
import { cellsOf, type Named, type Turns } from './find.ts';
import { copyToClient, headersToCell } from './headers.ts';
import { jsonObjectIn } from './jsonObject.ts';
import type { RoutedFleet } from './routerFleet.ts';
import type { AllCells } from './routes.ts';

/** Cells are asked for one request of a client. */
export type Serving = { req: Request; res: Response; named: Named; asking: Asking };

type ServingOptions = Pick<Asking, 'isOfFleet' | 'observeHops'> & { timeoutMs: number };

/** Reads what a request names. Its bytes, path and signature go to a cell as they are. */
export function servingOf(req: Request, res: Response, { timeoutMs, ...more }: ServingOptions): Serving {
  const routed: RoutedFleet = res.locals.routed;
  const { method, originalUrl: path } = req;
  // A client may send a whole URL as its path, which a cell would not take from us.
  if (!path.startsWith('/')) throw new InvalidRequest('the request cannot be read');
  const body = Buffer.isBuffer(req.body) ? req.body : undefined;
  const headers = headersToCell(req, { fleetVersion: routed.fleet.version });
  const params = req.params as Record<string, string>;
  return {
    req,
    res,
    named: {
      fleet: routed.fleet,
      operator: req.get(OPERATOR_HEADER) ?? params.operator,
      params,
      query: req.query,
      body: jsonObjectIn(body),
    },
    asking: { ...more, routed, request: { method, path, headers, body, timeoutMs } },
  };
}

/** Sends the response of the one cell that serves the request, piece by piece. */
export async function respondFromOne({ res, asking }: Serving, turns: Turns): Promise<void> {
  const answer = await askInTurn(turns, asking);
  if (answer.kind === 'failed') return sendFailure(res, answer.message);
  const { response } = answer;
  begin(res, response);
  try {
    await pipeline(response.body, res);
  } catch (error) {
    // Either end has gone. The connection is cut, so that nobody takes a part for the whole.
    if (!isGone(error)) throw error;
  }
}

/** Sends one response for the responses of all cells of the operator. */
export async function respondFromAll({ req, res, named, asking }: Serving, route: AllCells): Promise<void> {
  const ofOne = route.unlessOne?.(named);
  if (ofOne !== undefined) return respondFromOne({ req, res, named, asking }, ofOne);
  const cells = cellsOf(named);
  // The rows and cursors of an operator in one cell need no merging.
  const [only] = cells;
  if (cells.length === 1 && only !== undefined) {
    return respondFromOne({ req, res, named, asking }, { kind: 'turns', cells, passOn: 'misdirected' });
  }
  const how = { writes: route.writes ?? false, allows404: route.allows404 ?? false };
  const answer = await askAll(cells, asking, how);
  if (answer.kind === 'failed') return sendFailure(res, answer.message);
  if (answer.kind === 'passed') return pass(res, answer.response);
  const merged = route.merge(answer.answers, { cells, query: req.query, now: new Date() });
  if (merged.kind === 'differs') return sendFailure(res, merged.message);
  if (merged.kind === 'passed') return pass(res, merged.response);
  res.setHeader(CELL_HEADER, cells.map(idOf).join(','));
  sendJson(res, { status: 200, body: merged.body });
}

function pass(res: Response, answered: Answered): void {
  begin(res, answered);
  res.end(answered.bytes);
}

/**
 * A client without a valid signature does not learn whether there is such an operator, and where.
 */
const UNSIGNED = 401;

function begin(res: Response, { status, headers, cell }: Omit<CellResponse, 'kind' | 'body'>): void {
  copyToClient(headers, res);
  if (status !== UNSIGNED) res.setHeader(CELL_HEADER, idOf(cell));
  res.statusCode = status;
}

/** The MAC of a signature that is well formed. */
const MAC = /[0-9a-f]{64}$/;

/**
 * The fleet places the operator in no cell. A cell refuses the request as it refuses a wrong
 * signature of any operator: in the same words, after the same work. The MAC that it gets is never
 * right, so it does nothing else.
 */
export function respondToUnplaced({ asking, named, ...serving }: Serving): Promise<void> {
  const { cells } = named.fleet;
  const cell = cells[hash('sha256', named.operator ?? '', 'buffer').readUInt32BE() % cells.length];
  const { request } = asking;
  const signature = String(request.headers[SIGNATURE_HEADER] ?? '').replace(MAC, (mac) => '0'.repeat(mac.length));
  const headers = { ...request.headers, ...(signature !== '' && { [SIGNATURE_HEADER]: signature }) };
  return respondFromOne(
    { ...serving, named, asking: { ...asking, request: { ...request, headers } } },
    { kind: 'turns', cells: cell === undefined ? [] : [cell], passOn: 'misdirected' },
  );
}

const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']);

function isGone(error: unknown): boolean {
  const { code = '', name } = error as NodeJS.ErrnoException;
  return GONE.has(code) || code.startsWith('UND_ERR_') || name === 'AbortError';
}

/** The router itself cannot serve the request now. It may be sent again. */
function sendFailure(res: Response, message: string): void {
  sendJson(res, errorResponse('ERR_GEN', message, true));
}

export function sendRefusal(res: Response, status: 400 | 401, message: string): void {
  sendJson(res, { status, body: { error: 'ERR_VAL', message } });
}
