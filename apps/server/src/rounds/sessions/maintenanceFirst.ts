import { sessionIDSchema } from '@roundhouse/contract';
import { traceFields } from '@roundhouse/service';
import type { Request } from 'express';
import type { ErrorLog } from '../../base/http/errors.ts';
import { type ErrorResponse, refusalResponse } from '../../base/http/responses.ts';
import type { LookUps } from '../../store/rounds/lookUps.ts';
import { NEW_ROUNDS } from './roundStops.ts';
import { sha256Of } from './sessionToken.ts';

export type MaintenanceDeps = { lookUps: Pick<LookUps, 'maintenance'>; logError: ErrorLog };

/**
 * Responds to a request that is refused before its session is judged, because its shape is wrong or
 * its session is unknown. Maintenance takes precedence over both.
 */
export async function maintenanceFirst(
  { lookUps, logError }: MaintenanceDeps,
  req: Request,
  otherwise: ErrorResponse,
): Promise<ErrorResponse> {
  try {
    const found = await lookUps.maintenance(namedSession(req));
    if (found === null || (found.level === 'no_new_rounds' && !NEW_ROUNDS.has(req.path))) return otherwise;
    return refusalResponse({ ok: false, refusal: found.refusal });
  } catch (error) {
    // The request is wrong in any case, so a database that cannot be reached does not turn it into
    // a server error.
    logError({ err: error, ...traceFields(req.res?.locals.trace) }, 'could not read the maintenance switches');
    return otherwise;
  }
}

function namedSession(req: Request): Buffer<ArrayBuffer> | undefined {
  const named = sessionIDSchema.safeParse((req.body as { sessionID?: unknown } | undefined)?.sessionID);
  return named.success ? sha256Of(named.data) : undefined;
}
