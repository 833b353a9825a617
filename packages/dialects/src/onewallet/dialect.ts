import type { Dialect } from '../dialect.ts';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../durations.ts';
import { receive } from './receive.ts';
import { send } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

/** Speaks to a wallet in the style of Evolution's One Wallet: docs/dialects/onewallet.md. */
export const onewallet: Dialect<Settings> = {
  traits: {
    closesWithDebit: false,
    closedDebitsStand: false,
    groupsClosings: false,
    // Most wallets remember the cancel of an unknown bet and refuse the bet. Not all do.
    unknownDebitAfterMs: 10 * MS_PER_MINUTE,
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
