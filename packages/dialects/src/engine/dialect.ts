import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/** The wallet of an operator that has integrated Engine: docs/dialects/engine.md. */
export const engine: Dialect<Settings> = {
  traits: {
    closesWithDebit: true,
    closedDebitsStand: true,
    groupsClosings: false,
    // A rollback that is done refuses its debit from then on. ERR_BNF does not promise that.
    unknownDebitAfterMs: 5 * MS_PER_MINUTE,
    rollbackAfterMs: 0,
    retryMs: 72 * MS_PER_HOUR,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'none',
  },
  settings: settingsSchema,
  connect({ settings }) {
    const connection = connectionOf(settings);
    return {
      unitOf: (currency) => connection.currency(currency)?.scale.unit,
      send: (call, post) => send(connection, call, post),
      receive: (request, server) => receive(connection, request, server),
    };
  },
};
