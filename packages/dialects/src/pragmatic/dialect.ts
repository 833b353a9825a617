import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/**
 * The wallet of an operator that takes requests in the style of Pragmatic Play's seamless wallet:
 * docs/dialects/pragmatic.md. The project is not affiliated with that company.
 */
export const pragmatic: Dialect<Settings> = {
  traits: {
    closesWithDebit: false,
    closedDebitsStand: false,
    groupsClosings: false,
    // The refund of an unknown bet is a success.
    unknownDebitAfterMs: 0,
    rollbackAfterMs: 0,
    retryMs: 24 * MS_PER_HOUR,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'each_round',
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
