import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '@roundhouse/fleet';
import { type ClientLimits, createUnreadableResponse, expressMessages, listen } from '@roundhouse/service';
import type { Logger } from 'pino';
import { listeningAddress } from '../base/address.ts';
import { CROSS_ORIGIN_LINES } from '../base/http/commonHeaders.ts';
import { createRouterApp } from './routerApp.ts';
import { createRouterFleet } from './routerFleet.ts';
import { createRouterMetrics } from './routerMetrics.ts';

export type RouterOptions = {
  fleet: Fleet;
  log: Logger;
  host: string;
  /** 0 takes any free port. */
  port: number;
  cellTimeoutMs: number;
  /**
   * Addresses, ranges or names such as `loopback`, whose X-Forwarded headers count; none when left
   * out.
   */
  trustedProxies?: readonly string[];
  /** Time in milliseconds for which close() still responds, as not ready. */
  drainMs?: number;
  limits?: Partial<ClientLimits>;
};

export type RunningRouter = {
  url: string;
  /** Later requests go by this fleet. */
  replace(fleet: Fleet): void;
  /** Counts a fleet file that was read again and is wrong. */
  refused(): void;
  close(): Promise<void>;
};

/** Starts a launch router. It begins to serve whichever cells are away. */
export async function startRouter(options: RouterOptions): Promise<RunningRouter> {
  const { fleet, log, host, port, cellTimeoutMs, trustedProxies = [], drainMs = 0, limits } = options;
  const metrics = createRouterMetrics();
  const routerFleet = createRouterFleet(fleet, { metrics, log });
  metrics.readFrom({
    fleetVersion: () => routerFleet.current().fleet.version,
    pausedCells() {
      const paused = new Set(routerFleet.paused());
      return routerFleet.current().fleet.cells.map(({ name }) => ({ name, isPaused: paused.has(name) }));
    },
  });
  let isDraining = false;
  // No request comes before it is assigned.
  let listener: Awaited<ReturnType<typeof listen>>;
  const app = createRouterApp({
    routerFleet,
    log,
    metrics,
    isDraining: () => isDraining,
    connections: { isFull: () => listener.isFull(), turnsAway: (req) => listener.turnsAway(req) },
    cellTimeoutMs,
    trustedProxies,
  });
  listener = await listen({
    app,
    messages: expressMessages(app),
    unreadable: createUnreadableResponse({ log, headers: CROSS_ORIGIN_LINES }),
    log,
    limits,
    host,
    port,
    setBy: { host: '--host', port: '--port' },
  });
  return {
    url: listeningAddress({ host, port: listener.port, isSecure: false }).url,
    replace(next) {
      routerFleet.replace(next);
      metrics.observeReload('taken');
    },
    refused: () => metrics.observeReload('refused'),
    async close() {
      isDraining = true;
      listener.retire();
      await wait(drainMs);
      await listener.close();
      await routerFleet.close();
    },
  };
}
