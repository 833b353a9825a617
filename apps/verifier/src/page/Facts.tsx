import type { Overview } from '../engine/overview.ts';
import { amountText, counted, grouped, visible } from './texts.ts';

/** A game has a few tables. A document with thousands must not block the page. */
const MAX_TABLES = 50;

/** Shows what the document is about: its seed, its rounds and its tables. */
export function Facts({ overview }: { overview: Overview }) {
  const { isProof, serverSeedHash, isRevealed, clientSeeds, report, rounds, bets, payouts, tables } = overview;
  return (
    <section aria-labelledby="facts-title">
      <h2 id="facts-title">{isProof ? 'The proof of one round' : 'The export of a seed period'}</h2>
      <dl>
        <dt>Server seed hash</dt>
        <dd>
          <code>{visible(serverSeedHash)}</code>
        </dd>
        <dt>Server seed</dt>
        <dd>{isRevealed ? 'revealed' : 'not revealed yet'}</dd>
        {!isProof && (
          <>
            <dt>Client seeds</dt>
            <dd>{grouped(clientSeeds)}</dd>
            <dt>Rounds</dt>
            <dd>
              {grouped(rounds)}, of which {grouped(report.voids)} void
            </dd>
          </>
        )}
        <dt>{isProof ? 'Bet' : 'Bets'}</dt>
        <dd>{amountText(bets)}</dd>
        <dt>{isProof ? 'Payout' : 'Payouts'}</dt>
        <dd>{amountText(payouts)}</dd>
      </dl>
      <p class="soft">Amounts are in the currency that you played in. A void round counts as 0.</p>
      <details>
        <summary>{counted(tables.length, 'table')}: what each is known by</summary>
        <div>
          {tables.slice(0, MAX_TABLES).map(({ name, rows, sha256, root }) => (
            <dl key={root}>
              <dt>Table</dt>
              <dd>
                {visible(name)}, {counted(rows, 'row')}
              </dd>
              <dt>Root</dt>
              <dd>
                <code>{visible(root)}</code>
              </dd>
              <dt>SHA-256 of the file</dt>
              <dd>
                <code>{visible(sha256)}</code>
              </dd>
            </dl>
          ))}
        </div>
      </details>
    </section>
  );
}
