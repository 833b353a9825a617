import { signal } from '@preact/signals';
import type { Stream } from '../account/statementFeed.ts';
import type { Api, Failure } from '../api/api.ts';
import type { LobbyFacts } from '../api/apiTypes.ts';
import { createAccountModel } from './accountModel.ts';
import { createBenchModel } from './benchModel.ts';
import type { KeptValues } from './keptValues.ts';
import { createTableModel } from './tableModel.ts';

export type LobbyState =
  | { kind: 'loading' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'ready'; facts: LobbyFacts };

export type LobbyModel = ReturnType<typeof createLobbyModel>;

export type LobbyParts = { api: Api; kept: KeptValues; openStream: (url: string) => Stream };

/** All that the page shows and can do. */
export function createLobbyModel({ api, kept, openStream }: LobbyParts) {
  const state = signal<LobbyState>({ kind: 'loading' });
  const account = createAccountModel({ api, kept, openStream });
  const table = createTableModel({ api, kept, account });
  const bench = createBenchModel({ api, account, table });

  return {
    state,
    account,
    table,
    bench,
    /** Reads the house and lets the player in; again after a failure. */
    async start(): Promise<void> {
      state.value = { kind: 'loading' };
      const answer = await api.lobby();
      if (!answer.ok) {
        state.value = { kind: 'failed', failure: answer.failure };
        return;
      }
      state.value = { kind: 'ready', facts: answer.value };
      await account.resume(answer.value.currencies);
    },
  };
}
