import * as z from 'zod';
import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR } from '../durations.ts';
import { send } from './send.ts';

const NO_SETTINGS = z.strictObject({});

/** The server's own wallet protocol. Its operators use the operator API. */
export const roundhouse: Dialect<z.output<typeof NO_SETTINGS>> = {
  traits: {
    closesWithDebit: false,
    closedDebitsStand: false,
    groupsClosings: true,
    unknownDebitAfterMs: 0,
    rollbackAfterMs: 0,
    retryMs: 72 * MS_PER_HOUR,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'either',
  },
  settings: NO_SETTINGS,
  connect: ({ secrets: [secret = ''] }) => ({
    unitOf: () => 1,
    send: (call, post) => send(secret, call, post),
  }),
};
