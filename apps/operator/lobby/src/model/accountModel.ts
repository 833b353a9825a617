import { signal } from '@preact/signals';
import { type CurrencyCode, isCurrencyCode } from '@roundhouse/contract/light';
import { openStatementFeed, type StatementFeed, type Stream } from '../account/statementFeed.ts';
import type { Api, Failure } from '../api/api.ts';
import type { KeptValues } from './keptValues.ts';

export type AccountModel = ReturnType<typeof createAccountModel>;

type Parts = { api: Api; kept: KeptValues; openStream: (url: string) => Stream };

/** Who plays, in which currency, and the statement that is followed. */
export function createAccountModel({ api, kept, openStream }: Parts) {
  const playerID = signal<string | undefined>(undefined);
  const currency = signal<CurrencyCode>('USD');
  const feed = signal<StatementFeed | undefined>(undefined);
  const failure = signal<Failure | undefined>(undefined);
  let entries = 0;

  /** Only the last one who asks is let in: a slow answer must not bring back an account that was left. */
  async function enter(player: { playerID?: string | undefined; currency: CurrencyCode }): Promise<boolean> {
    entries += 1;
    const entry = entries;
    const wanted = { currency: player.currency, ...(player.playerID !== undefined && { playerID: player.playerID }) };
    const answer = await api.enter(wanted);
    if (entry !== entries) return false;
    failure.value = answer.ok ? undefined : answer.failure;
    if (!answer.ok) return false;
    feed.value?.close();
    playerID.value = answer.value.playerID;
    currency.value = player.currency;
    feed.value = openStatementFeed({ playerID: answer.value.playerID, currency: player.currency, api, openStream });
    kept.write('player', answer.value.playerID);
    kept.write('currency', player.currency);
    return true;
  }

  return {
    playerID,
    currency,
    feed,
    /** Why the last player or currency could not be had. The one before stays. */
    failure,
    /** The player and currency of the last visit; a new player when there is none. */
    resume(offered: readonly CurrencyCode[]): Promise<boolean> {
      const player = kept.read('player');
      const last = kept.read('currency');
      const wanted = isCurrencyCode(last) && offered.includes(last) ? last : (offered[0] ?? 'USD');
      return enter({ playerID: typeof player === 'string' ? player : undefined, currency: wanted });
    },
    /** @param name undefined: a new player, whom the operator names */
    changePlayer: (name: string | undefined) => enter({ playerID: name, currency: currency.value }),
    changeCurrency: (next: CurrencyCode) => enter({ playerID: playerID.value, currency: next }),
  };
}
