import type { ComponentChildren } from 'preact';
import {
  FREE_SPINS_BY_SCATTERS,
  GAME_TITLE,
  MAX_FREE_SPINS,
  MAX_MULTIPLIER,
  MODE_COST_HUNDREDTHS,
  MODES,
  type ModeName,
  RETRIGGER_SPINS,
  RTP_BASIS_POINTS,
  VOLATILITY_STEPS,
  WIN_CAP_HUNDREDTHS,
} from '../../../rules.ts';
import { costOfMode, isModeOffered, paidMicros } from '../../game/money.ts';
import { volatilityOf } from '../../statistics.ts';
import type { TextKey } from '../../texts/texts.ts';
import { SymbolArt } from '../parts/art.tsx';
import { TextLink } from '../parts/textLink.tsx';
import { textWidthEm } from '../parts/textWidth.ts';
import { type Ui, useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';
import { LineDiagrams, Paytable } from './paytable.tsx';

export const MODE_NAMES: Readonly<Record<ModeName, TextKey>> = {
  BASE: 'modeBASE',
  ANTE: 'modeANTE',
  BONUS: 'modeBONUS',
};

/** Shows paytable, features, lines, modes and rules on one page. */
export function InfoDialog() {
  const { t } = useUi();
  return (
    <DialogFrame kind="infoDialog" title={t('info')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must scroll it. */}
      <section class="rules" tabIndex={0} aria-labelledby="dialogTitle">
        <Paytable />
        <FeatureNotes />
        <LineDiagrams />
        <ModesTables />
        <HowToPlay />
      </section>
    </DialogFrame>
  );
}

function FeatureNotes() {
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

/** The art repeats the words, so screen readers skip it. */
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

/**
 * Shows what each mode costs, returns and can pay, and how. A replay has no config, so it lists all
 * modes.
 */
function ModesTables() {
  const { model, t, decimal } = useUi();
  const isReplay = model.replay.value !== undefined;
  const modes = MODES.filter((mode) => isReplay || isModeOffered(model, mode));
  const from = (step: 1 | 2 | 3 | 4) => `${decimal(VOLATILITY_STEPS[step])}×`;
  return (
    <section class="rulesPart">
      <h3>{t('modes')}</h3>
      <ModesTable columns={['modeCost', 'modeRtp', 'modeMaxWin']} rows={modes} cells={pricesOf} />
      <ModesTable
        kind="odds"
        columns={['modeHitRate', 'modeVolatility', 'modeMaxWinOdds']}
        rows={modes}
        cells={oddsOf}
      />
      <p class="modesNote">{t('statisticsNote', { two: from(1), three: from(2), four: from(3), five: from(4) })}</p>
    </section>
  );
}

type ModesTableProps = {
  readonly kind?: string;
  readonly columns: readonly TextKey[];
  readonly rows: readonly ModeName[];
  /** Returns what a mode's row shows in these columns. */
  readonly cells: (mode: ModeName, ui: Ui) => readonly ComponentChildren[];
};

function ModesTable({ kind = '', columns, rows, cells }: ModesTableProps) {
  const ui = useUi();
  return (
    <table class={`modes ${kind}`}>
      <thead>
        <tr>
          {(['modeName', ...columns] as const).map((key) => (
            <th key={key} scope="col">
              {ui.t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((mode) => (
          <tr key={mode}>
            <th scope="row">{ui.t(MODE_NAMES[mode])}</th>
            {cells(mode, ui).map((cell, place) => (
              <td key={columns[place]} data-label={ui.t(columns[place] as TextKey)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function pricesOf(mode: ModeName, { model, statistics, percent }: Ui): readonly ComponentChildren[] {
  const { rtp, maxWin } = statistics.modes[mode];
  const most = paidMicros({ betMicros: model.betMicros.value, hundredths: Math.round(maxWin * 100) });
  return [
    <Multiple key="cost" ofBet={MODE_COST_HUNDREDTHS[mode] / 100} micros={costOfMode(model, mode)} />,
    percent(Math.round(rtp * 10_000)),
    <Multiple key="most" ofBet={maxWin} micros={most} />,
  ];
}

function oddsOf(mode: ModeName, { statistics, t, number, decimal, percent }: Ui): readonly ComponentChildren[] {
  const { hitRate, standardDeviation, maxWinOneIn } = statistics.modes[mode];
  const deviation = `σ ${decimal(standardDeviation)}×`;
  return [
    percent(Math.round(hitRate * 10_000)),
    <div key="volatility" class="multiple">
      <b>
        {number(volatilityOf(standardDeviation))} / {number(VOLATILITY_STEPS.length)}
      </b>{' '}
      <small dir="ltr" style={{ '--em': textWidthEm(deviation) }}>
        {deviation}
      </small>
    </div>,
    t('oneIn', { rounds: number(Math.round(maxWinOneIn)) }),
  ];
}

/** Writes it as a multiple of the bet, and in money at the current bet. */
function Multiple({ ofBet, micros }: { ofBet: number; micros: number }) {
  const { money, number } = useUi();
  const amount = money(micros);
  return (
    <div class="multiple">
      <b>{number(ofBet)}×</b> <small style={{ '--em': textWidthEm(amount) }}>{amount}</small>
    </div>
  );
}

function HowToPlay() {
  const { model, statistics, t, percent } = useUi();
  const { spaceBar, slamStop } = model.permissions.value;
  return (
    <section class="rulesPart">
      <h3>{t('rules')}</h3>
      <ul class="plainNotes">
        {/* The longer text mentions the space bar and stopping the reels. */}
        <li>{t(spaceBar && slamStop ? 'rulesControls' : 'rulesControlsPlain')}</li>
        <li>{t('rulesRtp', { rtp: percent(RTP_BASIS_POINTS) })}</li>
        <li>{t('rulesConnection')}</li>
        <li>{t('rulesInterrupted')}</li>
        <li>{t('rulesMalfunction')}</li>
      </ul>
      <p class="links">
        <TextLink href={model.pages.responsibleGamblingURL}>{t('responsibleGambling')}</TextLink>
      </p>
      <p class="version">
        {GAME_TITLE} {statistics.version}
      </p>
    </section>
  );
}
