import { LINES, REELS, ROWS } from '../../../rules.ts';
import { useUi } from '../uiContext.ts';

const CELL = 10;
const CELLS = Array.from({ length: REELS * ROWS }, (_, place) => ({
  reel: place % REELS,
  row: Math.floor(place / REELS),
}));

/**
 * The lines. Screen readers read the rows from the first reel to the last, counted from the top.
 */
export function LineDiagrams() {
  const { t, number } = useUi();
  return (
    <section class="rulesPart">
      <h3>{t('lines')}</h3>
      <p>{t('linesNote', { count: LINES.length })}</p>
      <ol class="lineGrid" dir="ltr">
        {LINES.map((rows, place) => (
          <li key={rows.join('')}>
            <span aria-hidden="true">{number(place + 1)}</span>
            <LineDiagram rows={rows} name={`${number(place + 1)}: ${rows.map((row) => row + 1).join(' – ')}`} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function LineDiagram({ rows, name }: { rows: readonly number[]; name: string }) {
  const middle = (place: number) => place * CELL + CELL / 2;
  return (
    <svg viewBox={`0 0 ${REELS * CELL} ${ROWS * CELL}`} role="img" aria-label={name}>
      {CELLS.map(({ reel, row }) => (
        <rect
          key={`${reel} ${row}`}
          class={rows[reel] === row ? 'lineCell on' : 'lineCell'}
          x={reel * CELL + 0.75}
          y={row * CELL + 0.75}
          width={CELL - 1.5}
          height={CELL - 1.5}
          rx="1.5"
        />
      ))}
      <polyline class="linePath" points={rows.map((row, reel) => `${middle(reel)},${middle(row)}`).join(' ')} />
    </svg>
  );
}
