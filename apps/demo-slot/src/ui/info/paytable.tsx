import { FREE_SPINS_BY_SCATTERS, PAYTABLE, SYMBOLS, type SymbolCode } from '../../../rules.ts';
import { paidMicros } from '../../game/money.ts';
import { SymbolArt, useSymbolName } from '../parts/symbolArt.tsx';
import { textWidthEm, widestWordEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';

/** Each symbol with what three to five of it bring, at the player's bet. */
export function Paytable() {
  const { model, t, money } = useUi();
  return (
    <section class="rulesPart">
      <h3>{t('paytable')}</h3>
      <p>{t('paytableNote', { bet: money(model.betMicros.value) })}</p>
      <ul class="symbolGrid">
        {SYMBOLS.map((symbol) => (
          <SymbolCard key={symbol} symbol={symbol} />
        ))}
      </ul>
    </section>
  );
}

function SymbolCard({ symbol }: { symbol: SymbolCode }) {
  const name = useSymbolName(symbol);
  return (
    <li class="symbolCard" data-symbol={symbol}>
      <SymbolArt symbol={symbol} />
      <h4>
        <span style={{ '--em': widestWordEm(name) }}>{name}</span>
      </h4>
      <dl>{symbol === 'S' ? <ScatterPays /> : <LinePays symbol={symbol} />}</dl>
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
