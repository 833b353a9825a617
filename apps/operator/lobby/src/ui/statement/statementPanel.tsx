import type { Connection, StatementFeed } from '../../account/statementFeed.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Notice } from '../parts/notice.tsx';
import { StatementTable } from './statementTable.tsx';

/** The player's money, live. */
export function StatementPanel() {
  const { account } = useLobby();
  const feed = account.feed.value;
  return (
    <section class="statement" aria-labelledby="statementTitle">
      <div class="sectionHead">
        <h2 id="statementTitle">{texts.statement.title}</h2>
        {feed && <ConnectionSign connection={feed.connection.value} />}
      </div>
      {feed ? <Lines feed={feed} /> : <p class="soft">{texts.statement.loading}</p>}
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

function Lines({ feed }: { feed: StatementFeed }) {
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
        // A box that scrolls has to be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <div class="lines" tabIndex={0}>
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
