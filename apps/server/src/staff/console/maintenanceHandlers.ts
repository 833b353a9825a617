import type { adminContract, MaintenanceOnWire } from '@roundhouse/contract/admin';
import type { Response } from 'express';
import type { Handlers } from '../../base/http/endpoints.ts';
import { InvalidRequest } from '../../base/http/readBody.ts';
import { errorResponse, notFoundResponse, ok } from '../../base/http/responses.ts';
import { changeMaintenance } from '../../operators/settings/changeMaintenance.ts';
import { modeKey } from '../../rounds/games/catalogue.ts';
import { type ExplainedMaintenance, readMaintenance } from '../../store/staff/maintenance.ts';
import type { AdminDeps } from './adminDeps.ts';
import { scopeOf } from './operatorScope.ts';

/** Lists maintenance and switches it, as `roundhouse maintenance` does. */
export function maintenanceHandlers({
  db,
}: AdminDeps): Pick<Handlers<typeof adminContract>, 'listMaintenance' | 'setMaintenance'> {
  return {
    listMaintenance: async ({ res }) => {
      const { operatorCode } = scopeOf(res);
      const isShown = ({ scope, target }: ExplainedMaintenance) =>
        operatorCode === undefined || scope !== 'operator' || target === operatorCode;
      return ok({ items: (await readMaintenance(db)).filter(isShown).map((each) => maintenanceOnWire(each, res)) });
    },

    setMaintenance: async ({ body, res }) => {
      const { operatorCode } = scopeOf(res);
      const { scope, level, reason, target = '', version = '', mode = '' } = body;
      if (operatorCode !== undefined && scope !== 'operator') {
        return { ...errorResponse('ERR_VAL', 'you may stop your own operator only'), status: 403 };
      }
      if (operatorCode !== undefined && target !== operatorCode) return notFoundResponse('there is no such operator');
      const key = { scope, target, version, mode: mode === '' ? '' : modeKey(mode) };
      const outcome = await changeMaintenance(db, { ...key, level, reason });
      if (outcome.ok) return ok({ level, wasOn: outcome.wasOn });
      const { field, text, why } = outcome.issue;
      if (why === 'unknown' && field === 'target') return notFoundResponse(text);
      throw new InvalidRequest(`${field}: ${text}`, { [field]: text });
    },
  };
}

/** What concerns all operators shows their users neither who started it nor why. */
export function maintenanceOnWire(maintenance: ExplainedMaintenance, res: Response): MaintenanceOnWire {
  const isForeign = scopeOf(res).operatorCode !== undefined && maintenance.scope !== 'operator';
  return { ...explained(maintenance), ...(isForeign && { actor: null, reason: null }) };
}

export function explained({ since, ...rest }: ExplainedMaintenance): MaintenanceOnWire {
  return { ...rest, since: since.toISOString() };
}
