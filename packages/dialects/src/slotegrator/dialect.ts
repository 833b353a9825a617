import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/**
 * The wallet of an operator that serves the callbacks of Slotegrator's game aggregator API:
 * docs/dialects/slotegrator.md. The project is not affiliated with that company.
 */
export const slotegrator: Dialect<Settings> = {
  traits: {
    // `finished` is an option of that API, so a wallet may know only the win that ends a round.
    closesWithDebit: false,
    closedDebitsStand: false,
    groupsClosings: false,
    // The refund of an unknown bet is a success, and the wallet keeps it.
    unknownDebitAfterMs: 0,
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
