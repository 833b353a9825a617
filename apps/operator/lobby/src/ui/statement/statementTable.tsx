import type { CurrencyCode } from '@roundhouse/contract/light';
import { useRef } from 'preact/hooks';
import { meaningOf, momentText } from '../../account/entryFacts.ts';
import type { AccountKey } from '../../api/api.ts';
import type { StatementEntry } from '../../api/apiTypes.ts';
import { amountText, signedAmountText } from '../../money/amountText.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';

type Props = { entries: readonly StatementEntry[]; account: AccountKey };

export function StatementTable({ entries, account }: Props) {
  // Lines that were there when the table was drawn first have not just happened.
  const drawnFirst = useRef(new Set(entries.map(({ id }) => id)));
  return (
    <table class="lineTable">
      <caption class="unseen">{texts.statement.caption(account.playerID, account.currency)}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.statement.time}</th>
          <th scope="col">
            {texts.statement.what}
            <span class="unseen">{texts.statement.andWhere}</span>
          </th>
          <th scope="col" class="number">
            {texts.statement.amount}
          </th>
          <th scope="col" class="number">
            {texts.statement.balance}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} currency={account.currency} isNew={!drawnFirst.current.has(entry.id)} />
        ))}
      </tbody>
    </table>
  );
}

type LineProps = { entry: StatementEntry; currency: CurrencyCode; isNew: boolean };

function Line({ entry, currency, isNew }: LineProps) {
  const meaning = meaningOf(entry);
  const { time, day } = momentText(entry.at, new Date());
  const direction = entry.amount > 0 ? 'in' : entry.amount < 0 ? 'out' : 'still';
  return (
    <tr class={isNew ? 'isNew' : undefined} data-kind={entry.kind}>
      <td class="lineTime">
        <time dateTime={entry.at}>
          {day !== undefined && <span class="lineDay">{day} </span>}
          {time}
        </time>
      </td>
      <td>
        <span class="lineWhat">{texts.statement.meanings[meaning]}</span>
        <RoundName entry={entry} />
      </td>
      <td class={`number ${direction}`}>{signedAmountText(entry.amount, currency)}</td>
      <td class="number lineBalance">{amountText(entry.balanceAfter, currency)}</td>
    </tr>
  );
}

function RoundName({ entry: { gameID, roundID } }: { entry: StatementEntry }) {
  const { state } = useLobby();
  const games = state.value.kind === 'ready' ? state.value.facts.games : [];
  if (gameID === null) return null;
  const title = games.find((game) => game.gameID === gameID)?.title ?? gameID;
  return <span class="lineRound">{roundID === null ? title : texts.statement.round(title, roundID)}</span>;
}
