import type { ComponentChildren } from 'preact';
import {
  FREE_SPINS_BY_SCATTERS,
  MAX_FREE_SPINS,
  MAX_MULTIPLIER,
  RETRIGGER_SPINS,
  WIN_CAP_HUNDREDTHS,
} from '../../../rules.ts';
import { SymbolArt } from '../parts/symbolArt.tsx';
import { useUi } from '../uiContext.ts';

/** What the paytable cannot say in numbers. */
export function FeatureNotes() {
  const { t, number } = useUi();
  const spinsFor = (scatters: number) => number(FREE_SPINS_BY_SCATTERS[scatters] ?? 0);
  return (
    <section class="rulesPart">
      <h3>{t('freeSpins')}</h3>
      <ul class="notes">
        <Note art={<SymbolArt symbol="W" />}>{t('wildNote')}</Note>
        <Note art={<SymbolArt symbol="S" />}>
          {t('scatterNote', { three: spinsFor(3), four: spinsFor(4), five: spinsFor(5) })}
        </Note>
        <Note art={<span class="medal">+1×</span>}>{t('multiplierNote', { max: number(MAX_MULTIPLIER) })}</Note>
        <Note art={<span class="medal">+{number(RETRIGGER_SPINS)}</span>}>
          {t('retriggerNote', { added: number(RETRIGGER_SPINS), max: number(MAX_FREE_SPINS) })}
        </Note>
        <Note art={<span class="medal small">{number(WIN_CAP_HUNDREDTHS / 100)}×</span>}>
          {t('winCapNote', { multiple: number(WIN_CAP_HUNDREDTHS / 100) })}
        </Note>
      </ul>
    </section>
  );
}

/** The art repeats what the words say. */
function Note({ art, children }: { art: ComponentChildren; children: ComponentChildren }) {
  return (
    <li class="note">
      <span class="noteArt" aria-hidden="true">
        {art}
      </span>
      <p>{children}</p>
    </li>
  );
}
