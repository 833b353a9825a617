import type { Dialect } from '../dialect.ts';
import { receive } from './receive.ts';
import { sendCall } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

const MS_PER_HOUR = 3_600_000;
const MS_PER_MINUTE = 60_000;

/** The wallet of an operator in the style of Evolution's One Wallet: docs/dialects/onewallet.md. */
export const onewallet: Dialect<Settings> = {
  traits: {
    closesWithDebit: false,
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
      send: (call, post) => sendCall(connection, call, post),
      receive: (request, server) => receive(connection, request, server),
    };
  },
};
