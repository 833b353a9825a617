import { NONCE_HEADER, type OperatorError } from '@roundhouse/contract';
import { ASKED_HEADER, type Asked, CELL_HEADER, FLEET_HEADER, readAsked, readFleetVersion } from '@roundhouse/fleet';
import type { Request, RequestHandler, Response } from 'express';
import { type ErrorResponse, errorResponse } from '../../base/http/responses.ts';
import type { Elsewhere } from '../../rounds/sessions/admission.ts';
import type { Database } from '../../store/database/database.ts';
import { forgetNonce } from '../../store/operators/operatorSecrets.ts';
import { callerOf } from './operatorSignature.ts';

/**
 * Names the version of this node's fleet in each response. When the sender has another version, the
 * node first reads its fleet again. Without a fleet it does nothing.
 */
export function nameFleet({ fleet }: Pick<Database, 'fleet'>): RequestHandler {
  const name = async (req: Request, res: Response) => {
    const heard = readFleetVersion(req.get(FLEET_HEADER));
    const own = await (heard === undefined ? fleet.cell() : fleet.heard(heard));
    if (own !== undefined) res.setHeader(FLEET_HEADER, own.version);
  };
  return (req, res, next) => {
    name(req, res).then(() => next(), next);
  };
}

/** Returns the cells that have refused this request before, as the launch router says. */
export function askedOf(req: Request): Asked[] {
  return readAsked(req.get(ASKED_HEADER), readFleetVersion(req.get(FLEET_HEADER)));
}

/**
 * Responds 421 and names the next cell in a header, which the launch router follows. The request
 * may come again, so its nonce is free again: HTTP lets any client repeat what was misdirected, and
 * `fetch` does so automatically.
 */
export async function misdirected(
  db: Pick<Database, '$executeRaw'>,
  { req, res }: { req: Request; res: Response },
  elsewhere: Elsewhere,
): Promise<ErrorResponse | { status: 421; body: OperatorError }> {
  const { body, status } = errorResponse('ERR_VAL', elsewhere.detail);
  nameCell(res, elsewhere);
  if (elsewhere.refusal === 'no_cell') return { status, body };
  const { operatorID } = callerOf(res);
  if (req.method !== 'GET') await forgetNonce(db, { operatorID, nonce: req.get(NONCE_HEADER) ?? '' });
  return { status: 421, body };
}

/**
 * Names the next cell, if there is one, and the version of the fleet that says so: this node may
 * have read a newer one since the request came. undefined: this cell serves it.
 */
export function nameCell(res: Response, elsewhere: Elsewhere | undefined): void {
  res.removeHeader(CELL_HEADER);
  if (elsewhere === undefined) return;
  res.setHeader(FLEET_HEADER, elsewhere.version);
  if (elsewhere.refusal === 'other_cell') res.setHeader(CELL_HEADER, elsewhere.cellID);
}
