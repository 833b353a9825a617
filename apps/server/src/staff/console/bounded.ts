import type { adminContract, adminStreamContract } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRoute, type AdminRouteName } from '@roundhouse/contract/admin-routes';
import type { Request, Response } from 'express';
import type { Handlers } from '../../base/http/endpoints.ts';
import { callerOf } from './guard.ts';
import type { StreamHandlers, StreamLine } from './stream.ts';
import { createPlaces, createTurns, JOB_PLACES, REPORT_TURNS, REQUEST_TURNS } from './turns.ts';

type AdminHandlers = Handlers<typeof adminContract>;
type Streams = StreamHandlers<typeof adminStreamContract>;
type Exchange = { req: Request; res: Response };
type AnyHandler = (request: Exchange) => Promise<{ status: number; body: unknown }>;
type AnyStream = (
  request: Exchange,
) => Promise<AsyncIterable<StreamLine> | { status: number; body: unknown } | undefined>;

/**
 * Wraps the handlers of all requests: those of one user take turns, reports apart from the others.
 */
export function withTurns(handlers: AdminHandlers): AdminHandlers {
  const turns = { report: createTurns(REPORT_TURNS), request: createTurns(REQUEST_TURNS) };
  return mapped(handlers, (name, handler: AnyHandler): AnyHandler => {
    const taken = isReport(name) ? turns.report : turns.request;
    return (request) => taken.run(callerOf(request.res).userID, () => handler(request));
  });
}

/** Wraps the streams: a job takes a slot of its user until its last line is sent. */
export function withPlaces(streams: Streams): Streams {
  const jobs = createPlaces(JOB_PLACES);
  return mapped(streams, (name, handler: AnyStream): AnyStream => {
    if (loadOf(name) !== 'job') return handler;
    return async (request) => {
      const place = jobs.take(callerOf(request.res).userID);
      if (typeof place !== 'function') return place;
      const outcome = await handler(request).catch((error: unknown) => {
        place();
        throw error;
      });
      if (outcome !== undefined && !('status' in outcome)) return untilOver(outcome, place);
      place();
      return outcome;
    };
  });
}

/** The statements of a report take long: they have separate connections. */
export function isReport(name: string): boolean {
  return loadOf(name) === 'report';
}

function loadOf(name: string): AdminRoute['load'] {
  const { load }: AdminRoute = ADMIN_ROUTES[name as AdminRouteName];
  return load;
}

async function* untilOver(lines: AsyncIterable<StreamLine>, giveBack: () => void): AsyncGenerator<StreamLine> {
  try {
    yield* lines;
  } finally {
    giveBack();
  }
}

function mapped<All extends object, Each>(all: All, wrap: (name: string, each: Each) => Each): All {
  return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, wrap(name, each as Each)])) as All;
}
