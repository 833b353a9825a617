import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAULT_KINDS, type FaultKind, type FaultPlan, faultPlanSchema } from '@roundhouse/contract';
import { inject } from './inject.ts';
import { runPlan } from './runningPlan.ts';

export type FaultSwitchOptions = {
  /**
   * The response of a fault of kind `error` in the terms of the protocol, sent as JSON; `code`
   * undefined: a 500 without a code.
   */
  errorResponse: (code: string | undefined) => { status: number; body: unknown };
  /**
   * The guarded paths, exactly as `req.url` has them (below a mount point). Requests to other paths
   * always pass.
   */
  paths: readonly string[];
  /** The codes that a plan may name; any when left out. */
  errorCodes?: readonly string[];
};

/** `message` names the field and the rule. */
export type CheckedPlan = { ok: true; plan: FaultPlan } | { ok: false; message: string };

/** Injects faults into the requests and responses of one server. */
export type FaultSwitch = {
  /**
   * Connect-style middleware. It must stand before whatever reads bodies. A request with a body
   * above 64 KiB that a fault affects loses its connection.
   */
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  /** The plan with what is left of it: a fault whose `next` is used up is gone. */
  plan(): FaultPlan;
  /**
   * Replaces the plan; its shares start from their seed. An invalid plan changes nothing.
   */
  setPlan(plan: unknown): CheckedPlan;
  /** Switches all faults off. A fault that already affects a request goes on. */
  clear(): void;
  /** How many requests each kind has affected since the switch was made. */
  injected(): Record<FaultKind, number>;
};

const PASS_HEADER = 'x-roundhouse-fault-pass';
const NO_FAULTS: FaultPlan = { faults: [] };

/**
 * A switch without faults. It needs a server on a TCP port: it does the work of a request by
 * sending it to the server's own address.
 */
export function createFaultSwitch(options: FaultSwitchOptions): FaultSwitch {
  const guarded = new Set(options.paths);
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  // Random: a client that could guess it would avoid all faults.
  const pass = { [PASS_HEADER]: randomBytes(32).toString('base64url') };
  let running = runPlan(NO_FAULTS);

  return {
    handle(req, res, next) {
      const isDelivery = req.headers[PASS_HEADER] === pass[PASS_HEADER];
      delete req.headers[PASS_HEADER];
      const path = pathOf(req);
      const fault = isDelivery || !guarded.has(path) ? undefined : running.take(path);
      if (fault === undefined) return next();
      counts[fault.kind] += 1;
      // Kept now: a request that was aborted has no socket any more.
      const { socket } = req;
      // Without the server's response there is nothing to send: the client sees a lost request.
      inject(fault, { req, res, socket, pass, errorResponse: options.errorResponse }).catch(() => socket.destroy());
    },
    plan: () => running.left(),
    setPlan(plan) {
      const checked = checkPlan(plan, options);
      if (checked.ok) running = runPlan(checked.plan);
      return checked;
    },
    clear() {
      running = runPlan(NO_FAULTS);
    },
    injected: () => ({ ...counts }),
  };
}

/** A fault on a path or with a code that this switch does not have would never happen. */
function checkPlan(value: unknown, { paths, errorCodes }: FaultSwitchOptions): CheckedPlan {
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

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
