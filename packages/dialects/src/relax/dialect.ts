import type { Dialect } from '../dialect.ts';
import { receive } from './receive.ts';
import { sendCall } from './send.ts';
import { connectionOf, type Settings, settingsSchema } from './settings.ts';

const MS_PER_MINUTE = 60_000;

/**
 * The side of a games platform in the P2P protocol of Relax Gaming, version 2:
 * docs/dialects/relax.md.
 */
export const relax: Dialect<Settings> = {
  traits: {
    closesWithDebit: false,
    groupsClosings: false,
    unknownDebitAfterMs: 10 * MS_PER_MINUTE,
    rollbackAfterMs: MS_PER_MINUTE,
    retryMs: 72 * 60 * MS_PER_MINUTE,
    settlesWithoutSession: true,
    // Relax asks for the end of a round with `finalize`.
    completesRounds: false,
    freeRounds: 'none',
  },
  settings: settingsSchema,
  connect({ settings }) {
    const connection = connectionOf(settings);
    return {
      unitOf: (currency) => connection.currencies.ours(currency).scale.unit,
      send: (call, post) => sendCall(connection, call, post),
      receive: (request, server) => receive(connection, request, server),
    };
  },
};
