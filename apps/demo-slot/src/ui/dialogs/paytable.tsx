import { FREE_SPINS_BY_SCATTERS, LINES, PAYTABLE, REELS, ROWS, SYMBOLS, type SymbolCode } from '../../../rules.ts';
import { paidMicros } from '../../game/money.ts';
import { SymbolArt, useSymbolName } from '../parts/art.tsx';
import { textWidthEm, widestWordEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';

/** On a phone a text of this width fits beside the picture of a symbol, in em. */
const LONG_EM = 5;

/** Shows each symbol with what three to five of it bring, at the player's bet. */
export function Paytable() {
  const { model, t, money } = useUi();
  const most = Math.max(...Object.values(PAYTABLE).flat());
  const isLong = textWidthEm(money(paidMicros({ betMicros: model.betMicros.value, hundredths: most }))) > LONG_EM;
  return (
    <section class="rulesPart">
      <h3>{t('paytable')}</h3>
      <p>{t('paytableNote', { bet: money(model.betMicros.value) })}</p>
      <ul class={isLong ? 'symbolGrid long' : 'symbolGrid'}>
        {SYMBOLS.map((symbol) => (
          <SymbolCard key={symbol} symbol={symbol} />
        ))}
      </ul>
    </section>
  );
}

/** Shows a symbol with what it brings at the player's bet, and with a note or not. */
export function SymbolCard({ symbol, note }: { symbol: SymbolCode; note?: string }) {
  const name = useSymbolName(symbol);
  return (
    <li class="symbolCard" data-symbol={symbol}>
      <SymbolArt symbol={symbol} />
      <h4>
        <span style={{ '--em': widestWordEm(name) }}>{name}</span>
      </h4>
      <dl>{symbol === 'S' ? <ScatterPays /> : <LinePays symbol={symbol} />}</dl>
      {note !== undefined && <p class="symbolNote">{note}</p>}
    </li>
  );
}

function LinePays({ symbol }: { symbol: Exclude<SymbolCode, 'S'> }) {
  const { model, money } = useUi();
  return PAYTABLE[symbol]
    .map((hundredths, place) => ({ count: place + 3, hundredths }))
    .reverse()
    .map(({ count, hundredths }) => (
      <Pay key={count} count={count} pays={money(paidMicros({ betMicros: model.betMicros.value, hundredths }))} />
    ));
}

function ScatterPays() {
  const { t } = useUi();
  return Object.entries(FREE_SPINS_BY_SCATTERS)
    .reverse()
    .map(([count, spins]) => <Pay key={count} count={Number(count)} pays={t('freeSpinsStart', { count: spins })} />);
}

function Pay({ count, pays }: { count: number; pays: string }) {
  const { t } = useUi();
  return (
    <div>
      <dt>
        <span aria-hidden="true">{count}</span>
        <span class="unseen">{t('ofAKind', { count })}</span>
      </dt>
      <dd>
        <span style={{ '--em': textWidthEm(pays) }}>{pays}</span>
      </dd>
    </div>
  );
}

const CELL = 10;
const CELLS = Array.from({ length: REELS * ROWS }, (_, place) => ({
  reel: place % REELS,
  row: Math.floor(place / REELS),
}));

/**
 * Shows the lines. Screen readers read the rows from the first reel to the last, counted from the
 * top.
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
