import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/**
 * The side of a games platform in the P2P protocol of Relax Gaming, version 2:
 * docs/dialects/relax.md.
 */
export const relax: Dialect<Settings> = {
  traits: {
    closesWithDebit: false,
    closedDebitsStand: false,
    groupsClosings: false,
    unknownDebitAfterMs: 10 * MS_PER_MINUTE,
    rollbackAfterMs: MS_PER_MINUTE,
    retryMs: 72 * MS_PER_HOUR,
    settlesWithoutSession: true,
    // Relax requests the end of a round with `finalize`.
    completesRounds: false,
    freeRounds: 'none',
  },
  settings: settingsSchema,
  connect({ settings }) {
    const connection = connectionOf(settings);
    return {
      unitOf: (currency) => connection.currency(currency).scale.unit,
      send: (call, post) => send(connection, call, post),
      receive: (request, server) => receive(connection, request, server),
    };
  },
};
