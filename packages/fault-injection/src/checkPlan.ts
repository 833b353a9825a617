import { type FaultPlan, faultPlanSchema } from '@roundhouse/contract';

/** `message` names the field and the rule. */
export type CheckedPlan = { ok: true; plan: FaultPlan } | { ok: false; message: string };

/** What one switch can do: a fault elsewhere would be switched on and never come. */
export type PlanLimits = { paths: readonly string[]; errorCodes?: readonly string[] | undefined };

/** Reads what may be a plan. */
export function checkPlan(value: unknown, { paths, errorCodes }: PlanLimits): CheckedPlan {
  const read = faultPlanSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') || 'plan';
    return { ok: false, message: `${field}: ${issue?.message}` };
  }
  for (const [place, { path, error }] of read.data.faults.entries()) {
    if (path !== undefined && !paths.includes(path)) {
      return { ok: false, message: `faults.${place}.path: must be one of ${paths.join(', ')}` };
    }
    if (error !== undefined && errorCodes?.includes(error) === false) {
      return { ok: false, message: `faults.${place}.error: must be one of ${errorCodes.join(', ')}` };
    }
  }
  return { ok: true, plan: read.data };
}
