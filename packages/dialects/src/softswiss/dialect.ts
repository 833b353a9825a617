import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/**
 * Speaks version 2 of the SOFTSWISS provider protocol: docs/dialects/softswiss.md.
 */
export const softswiss: Dialect<Settings> = {
  traits: {
    closesWithDebit: true,
    closedDebitsStand: false,
    groupsClosings: false,
    // A rollback of an unknown bet is a success. Where it is "not found", the bet may still come.
    unknownDebitAfterMs: 10 * MS_PER_MINUTE,
    rollbackAfterMs: 0,
    retryMs: 72 * MS_PER_HOUR,
    settlesWithoutSession: true,
    completesRounds: true,
    freeRounds: 'at_end',
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
