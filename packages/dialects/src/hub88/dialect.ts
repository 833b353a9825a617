import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/** Speaks the supplier's side of Hub88: docs/dialects/hub88.md. */
export const hub88: Dialect<Settings> = {
  traits: {
    closesWithDebit: true,
    closedDebitsStand: false,
    groupsClosings: false,
    unknownDebitAfterMs: 5 * MS_PER_MINUTE,
    rollbackAfterMs: 0,
    retryMs: 72 * MS_PER_HOUR,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'each_round',
  },
  settings: settingsSchema,
  connect({ code, settings }) {
    const connection = connectionOf(settings, code);
    return {
      unitOf: (currency) => connection.currency(currency).scale.unit,
      send: (call, post) => send(connection, call, post),
      receive: (request, server) => receive(connection, request, server),
    };
  },
};
