import { useRef } from 'preact/hooks';
import type { AccountKey, StatementEntry } from '../api.ts';
import { Notice } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { amountText, type MoneyStyle, signedAmountText } from '../money.ts';
import { texts } from '../texts.ts';
import { type Connection, meaningOf, momentText, type StatementFeed } from './statement.ts';

/** Shows the statement of the player's account. New entries appear immediately. */
export function StatementPanel() {
  const { account } = useLobby();
  const feed = account.feed.value;
  return (
    <section class="statement" aria-labelledby="statementTitle">
      <div class="sectionHead">
        <h2 id="statementTitle" tabIndex={-1}>
          {texts.statement.title}
        </h2>
        {feed && <ConnectionSign connection={feed.connection.value} />}
      </div>
      {feed ? <Entries feed={feed} /> : <p class="soft">{texts.statement.loading}</p>}
    </section>
  );
}

function ConnectionSign({ connection }: { connection: Connection }) {
  return (
    <span class={`connection ${connection}`} role="status">
      {texts.statement.connection[connection]}
    </span>
  );
}

function Entries({ feed }: { feed: StatementFeed }) {
  const statement = feed.statement.value;
  const isBroken = feed.connection.value === 'broken' || feed.failure.value !== undefined;
  return (
    <>
      {isBroken && (
        <Notice action={{ label: texts.tryAgain, onPress: feed.retry }}>
          {texts.statement.failed} {feed.failure.value && texts.failure(feed.failure.value)}
        </Notice>
      )}
      {!statement && !isBroken && <p class="soft">{texts.statement.loading}</p>}
      {statement?.entries.length === 0 && (
        <div class="empty">
          <h3>{texts.statement.empty}</h3>
          <p>{texts.statement.emptyText}</p>
        </div>
      )}
      {statement && statement.entries.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
        <div class="entries" tabIndex={0}>
          <StatementTable entries={statement.entries} account={feed.account} />
          {statement.hasOlder && (
            <button
              type="button"
              class="button quiet older"
              disabled={feed.readingOlder.value}
              onClick={() => void feed.readOlder()}
            >
              {feed.readingOlder.value ? texts.statement.readingOlder : texts.statement.older}
            </button>
          )}
        </div>
      )}
    </>
  );
}

type TableProps = { entries: readonly StatementEntry[]; account: AccountKey };

function StatementTable({ entries, account }: TableProps) {
  const { launcher } = useLobby();
  const money = { currency: account.currency, isSocial: launcher.isSocial.value };
  // Entries of the first render do not count as new.
  const drawnFirst = useRef(new Set(entries.map(({ id }) => id)));
  return (
    <table class="entryTable">
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
            {money.isSocial ? texts.head.coins : texts.statement.balance}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} money={money} isNew={!drawnFirst.current.has(entry.id)} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { entry: StatementEntry; money: MoneyStyle; isNew: boolean };

function Row({ entry, money, isNew }: RowProps) {
  const meaning = meaningOf(entry);
  const { time, day } = momentText(entry.at, new Date());
  const direction = entry.amount > 0 ? 'in' : entry.amount < 0 ? 'out' : 'still';
  return (
    <tr class={isNew ? 'isNew' : undefined} data-kind={entry.kind}>
      <td class="entryTime">
        <time dateTime={entry.at}>
          {day !== undefined && <span class="entryDay">{day} </span>}
          {time}
        </time>
      </td>
      <td>
        <span class="entryWhat">
          {(money.isSocial ? texts.statement.socialMeanings : texts.statement.meanings)[meaning]}
        </span>
        <RoundName entry={entry} />
      </td>
      <td class={`number ${direction}`}>{signedAmountText(entry.amount, money)}</td>
      <td class="number entryBalance">{amountText(entry.balanceAfter, money)}</td>
    </tr>
  );
}

function RoundName({ entry: { gameID, roundID } }: { entry: StatementEntry }) {
  const { state } = useLobby();
  const games = state.value.kind === 'ready' ? state.value.facts.games : [];
  if (gameID === null) return null;
  const title = games.find((game) => game.gameID === gameID)?.title ?? gameID;
  return <span class="entryRound">{roundID === null ? title : texts.statement.round(title, roundID)}</span>;
}
