import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAULT_KINDS, type FaultKind, type FaultPlan } from '@roundhouse/contract';
import { type CheckedPlan, checkPlan, type PlanLimits } from './checkPlan.ts';
import { inject } from './inject.ts';
import { runPlan } from './runningPlan.ts';

export type FaultSwitchOptions = {
  /** The answer of a fault of kind `error` in the words of the wire; `code` undefined: a 500 without a code. Sent as JSON. */
  answerError: (code: string | undefined) => { status: number; body: unknown };
  /** The paths that are guarded, exactly as `req.url` has them (below a mount point). Calls to others always pass. */
  paths: readonly string[];
  /** The codes that a plan may name; any when left out. */
  errorCodes?: readonly string[];
};

/** What can go wrong on the wire of one server. */
export type FaultSwitch = {
  /** Connect-style middleware. It has to stand before whatever reads bodies. A body above 64 KiB that meets a fault is cut off. */
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  /** The plan with what is left of it: a fault whose `next` is used up is gone. */
  plan(): FaultPlan;
  /** Replaces the plan; its shares start from their seed. What is not a valid plan of this switch changes nothing. */
  setPlan(plan: unknown): CheckedPlan;
  /** Switches all faults off. What a call has met already goes on. */
  clear(): void;
  /** How many calls have met each kind since the switch was made. */
  injected(): Record<FaultKind, number>;
};

const PASS_HEADER = 'x-roundhouse-fault-pass';
const NO_FAULTS: FaultPlan = { faults: [] };

/** A switch without faults. It needs a server on a TCP port: work is done by a request to the server's own address. */
export function createFaultSwitch({ answerError, paths, errorCodes }: FaultSwitchOptions): FaultSwitch {
  const limits: PlanLimits = { paths, errorCodes };
  const guarded = new Set(paths);
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  // Whoever could guess it would be spared, and might believe that nothing goes wrong here.
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
      // Kept now: a request that has broken off has no socket any more.
      const { socket } = req;
      // Without its work or its answer there is nothing to tell the caller: that is a cut.
      inject(fault, { req, res, socket, pass, answerError }).catch(() => socket.destroy());
    },
    plan: () => running.left(),
    setPlan(plan) {
      const checked = checkPlan(plan, limits);
      if (checked.ok) running = runPlan(checked.plan);
      return checked;
    },
    clear() {
      running = runPlan(NO_FAULTS);
    },
    injected: () => ({ ...counts }),
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
