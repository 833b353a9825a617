import { signal } from '@preact/signals';
import { type CurrencyCode, isCurrencyCode } from '@roundhouse/contract/light';
import type { Api, Failure } from '../api.ts';
import { openStatementFeed, type StatementFeed, type Stream } from './statement.ts';

export type AccountModel = ReturnType<typeof createAccountModel>;

type Deps = { api: Api; kept: KeptValues; openStream: (url: string) => Stream };

/** Keeps the player, the currency and the statement of the account. */
export function createAccountModel({ api, kept, openStream }: Deps) {
  const playerID = signal<string | undefined>(undefined);
  const currency = signal<CurrencyCode>('USD');
  const feed = signal<StatementFeed | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  const pending = signal<ReturnType<Api['enter']> | undefined>(undefined);

  /** Only the last request counts: a slow response must not bring back an earlier account. */
  async function enter(player: { playerID?: string | undefined; currency: CurrencyCode }): Promise<boolean> {
    const wanted = { currency: player.currency, ...(player.playerID !== undefined && { playerID: player.playerID }) };
    const request = api.enter(wanted);
    pending.value = request;
    const result = await request;
    if (pending.value !== request) return false;
    pending.value = undefined;
    failure.value = result.ok ? undefined : result.failure;
    if (!result.ok) return false;
    feed.value?.close();
    playerID.value = result.value.playerID;
    currency.value = player.currency;
    feed.value = openStatementFeed({ playerID: result.value.playerID, currency: player.currency, api, openStream });
    kept.write('player', result.value.playerID);
    kept.write('currency', player.currency);
    return true;
  }

  return {
    playerID,
    currency,
    feed,
    /** The request for the last change of player or currency, until its response. */
    pending,
    /** Why the last change of player or currency failed. The account before it stays. */
    failure,
    /** Returns the player and currency of the last visit; a new player on the first visit. */
    resume(offered: readonly CurrencyCode[]): Promise<boolean> {
      const player = kept.read('player');
      const last = kept.read('currency');
      const wanted = isCurrencyCode(last) && offered.includes(last) ? last : (offered[0] ?? 'USD');
      return enter({ playerID: typeof player === 'string' ? player : undefined, currency: wanted });
    },
    /** @param name undefined: a new player, whom the operator names */
    changePlayer: (name: string | undefined) => enter({ playerID: name, currency: currency.value }),
    /** Deposits play money. Returns true after a success. */
    async deposit(amount: number): Promise<boolean> {
      if (playerID.value === undefined) return false;
      const result = await api.deposit({ playerID: playerID.value, currency: currency.value, amount });
      failure.value = result.ok ? undefined : result.failure;
      return result.ok;
    },
    changeCurrency: (next: CurrencyCode) => enter({ playerID: playerID.value, currency: next }),
  };
}

/** The page remembers these between visits. */
export type KeptValues = {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
};

const PREFIX = 'roundhouse.lobby.';

/** Keeps values in the browser's store. The browser may deny it: play does not need them. */
export function createKeptValues(openStore: () => Storage): KeptValues {
  return {
    read(name) {
      try {
        return JSON.parse(openStore().getItem(PREFIX + name) ?? 'null');
      } catch {
        return null;
      }
    },
    write(name, value) {
      try {
        openStore().setItem(PREFIX + name, JSON.stringify(value));
      } catch {
        // The browser denies the store, or it is full.
      }
    },
  };
}
