import type { StepLevel, StepRow, StepTry } from '@roundhouse/fair';
import { counted, grouped, multiplierText, visible } from './texts.ts';

/** More of a book would make a browser slow. */
const MAX_BOOK = 50_000;

/** Most draws take one try. */
export function Tries({ tries }: { tries: StepTry[] }) {
  const [first] = tries;
  if (first === undefined) return null;
  return (
    <>
      <dl>
        <dt>Limit</dt>
        <dd>
          <code>{first.limit}</code>
        </dd>
        <dt>Tries</dt>
        <dd>{grouped(tries.length)}</dd>
      </dl>
      {tries.length > 1 && (
        <ol>
          {tries.map(({ message, value, accepted }) => (
            <li key={message}>
              <code>{value}</code> {accepted ? 'counts' : 'is at the limit or above: thrown away'}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** Shows the drawn row and which tickets it has. */
export function Row({
  row: { position, id, weight, payoutMultiplier, bookHash, firstTicket, lastTicket },
}: {
  row: StepRow;
}) {
  return (
    <dl>
      <dt>Place in the table</dt>
      <dd>{grouped(position + 1)}</dd>
      <dt>Book</dt>
      <dd>{id}</dd>
      <dt>Tickets</dt>
      <dd>
        <code>
          {firstTicket} to {lastTicket}
        </code>
        , {counted(BigInt(weight), 'ticket')}
      </dd>
      <dt>Multiplier</dt>
      <dd>{multiplierText(payoutMultiplier)}</dd>
      <dt>Hash of the book</dt>
      <dd>
        <code>{bookHash}</code>
      </dd>
    </dl>
  );
}

/** Leads from the row to the root, by the neighbour of each level. */
export function Path({ path, leaf }: { path: StepLevel[]; leaf: string }) {
  return (
    <details>
      <summary>The path, {counted(path.length, 'level')}</summary>
      <div>
        <p class="soft">
          The path begins with the hash of the row: <code>{leaf}</code>. At each level it meets its neighbour. Both give
          the hash of the next level, and their tickets are added.
        </p>
        <ol class="path">
          {path.map(({ side, weight, hash, aboveWeight, aboveHash }, level) => (
            <li key={aboveHash}>
              <h4>Level {level + 1}</h4>
              <dl>
                <dt>Neighbour on the {side}</dt>
                <dd>
                  <code>{hash}</code>, <code>{weight}</code> tickets
                </dd>
                <dt>Next level</dt>
                <dd>
                  <code>{aboveHash}</code>, <code>{aboveWeight}</code> tickets
                </dd>
              </dl>
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}

/** Shows the events of the book as they were published. */
export function Book({ book }: { book: string }) {
  return (
    <details>
      <summary>The events of the book</summary>
      <div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must scroll it. */}
        <pre tabIndex={0}>{visible(book, MAX_BOOK)}</pre>
      </div>
    </details>
  );
}
