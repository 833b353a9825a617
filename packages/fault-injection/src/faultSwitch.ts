import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAULT_KINDS, type Fault, type FaultKind, type FaultPlan, faultPlanSchema } from '@roundhouse/contract';
import { deliver, type ReceivedRequest, readRequest, relay } from './delivery.ts';
import { inject } from './inject.ts';
import { runPlan } from './runningPlan.ts';

export type FaultSwitchOptions = {
  /**
   * Returns the response of a fault of kind `error` in the terms of the protocol, sent as JSON; an
   * undefined `code` means a 500 without a code.
   */
  errorResponse: (code: string | undefined) => { status: number; body: unknown };
  /**
   * The guarded paths, exactly as `req.url` has them (below a mount point). Requests to other paths
   * always pass.
   */
  paths: readonly string[];
  /** A plan may name these codes. The default is any code. */
  errorCodes?: readonly string[];
  /**
   * Returns the players of a request, by its body, so that a fault can affect one player. Without
   * it no request is theirs.
   */
  playersOf?: (body: unknown) => Promise<readonly string[]>;
  /**
   * Time in seconds for which a fault is on that names no time. By default it is on until it is
   * cleared.
   */
  defaultSeconds?: number;
};

/** `message` names the field and the rule. */
export type CheckedPlan = { ok: true; plan: FaultPlan } | { ok: false; message: string };

/** Injects faults into the requests and responses of one server. */
export type FaultSwitch = {
  /**
   * Connect-style middleware. It must come before whatever reads bodies. A request with a body
   * above 256 KiB that a fault affects loses its connection; so does each one to a path for which a
   * fault of one player is on.
   */
  handle(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  /** Returns the plan with what is left of it: a fault whose `next` is used up is gone. */
  plan(): FaultPlan;
  /**
   * Replaces the plan; its shares start from their seed. An invalid plan changes nothing.
   */
  setPlan(plan: unknown): CheckedPlan;
  /** Switches all faults off. A fault that already affects a request goes on. */
  clear(): void;
  /** Returns how many requests each kind has affected since the switch was made. */
  injected(): Record<FaultKind, number>;
};

const PASS_HEADER = 'x-roundhouse-fault-pass';
const NO_FAULTS: FaultPlan = { faults: [] };

/**
 * Makes a switch without faults. It needs a server on a TCP port: it does the work of a request by
 * sending it to the server's own address.
 */
export function createFaultSwitch(options: FaultSwitchOptions): FaultSwitch {
  const guarded = new Set(options.paths);
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  // It is random: a client that could guess it would avoid all faults.
  const pass = { [PASS_HEADER]: randomBytes(32).toString('base64url') };
  let running = runPlan(NO_FAULTS);

  /** The body names the player. A body that was read can reach the server by a delivery only. */
  async function handleByPlayer(req: IncomingMessage, res: ServerResponse, { path, affect }: ByPlayer): Promise<void> {
    const request = await readRequest(req);
    const fault = running.take(path, await options.playersOf?.(parsed(request.body)));
    if (fault === undefined) relay(res, await deliver(request, pass));
    else await affect(fault, async () => request);
  }

  return {
    handle(req, res, next) {
      const isDelivery = req.headers[PASS_HEADER] === pass[PASS_HEADER];
      delete req.headers[PASS_HEADER];
      const path = pathOf(req);
      if (isDelivery || !guarded.has(path)) return next();
      // It is kept now: a request that was aborted has no socket any more.
      const { socket } = req;
      // Without the server's response there is nothing to send: the client sees a lost request.
      const cut = () => socket.destroy();
      const affect = (fault: Fault, read: () => Promise<ReceivedRequest>) => {
        counts[fault.kind] += 1;
        return inject(fault, { read, res, socket, pass, errorResponse: options.errorResponse });
      };
      if (running.needsPlayer(path)) return void handleByPlayer(req, res, { path, affect }).catch(cut);
      const fault = running.take(path);
      if (fault === undefined) return next();
      affect(fault, () => readRequest(req)).catch(cut);
    },
    plan: () => running.left(),
    setPlan(plan) {
      const checked = checkPlan(plan, options);
      if (checked.ok) running = runPlan(withTimes(checked.plan, options.defaultSeconds));
      return checked;
    },
    clear() {
      running = runPlan(NO_FAULTS);
    },
    injected: () => ({ ...counts }),
  };
}

type ByPlayer = {
  path: string;
  affect: (fault: Fault, read: () => Promise<ReceivedRequest>) => Promise<void>;
};

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    // The server says what is wrong with it.
    return undefined;
  }
}

function withTimes(plan: FaultPlan, seconds: number | undefined): FaultPlan {
  if (seconds === undefined) return plan;
  return { ...plan, faults: plan.faults.map((fault) => ({ seconds, ...fault })) };
}

/**
 * Refuses a fault on a path or with a code that this switch does not have, because it would never
 * happen.
 */
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
