import type { ComponentChildren } from 'preact';
import {
  FREE_SPINS_BY_SCATTERS,
  GAME_TITLE,
  GAME_VERSION,
  MAX_FREE_SPINS,
  MAX_MULTIPLIER,
  MODE_COST_HUNDREDTHS,
  MODES,
  type ModeName,
  RETRIGGER_SPINS,
  RTP_BASIS_POINTS,
  WIN_CAP_HUNDREDTHS,
} from '../../../rules.ts';
import { costOfMode, isModeOffered, paidMicros } from '../../game/money.ts';
import type { TextKey } from '../../texts/texts.ts';
import { SymbolArt } from '../parts/art.tsx';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';
import { LineDiagrams, Paytable } from './paytable.tsx';

export const MODE_NAMES: Readonly<Record<ModeName, TextKey>> = {
  BASE: 'modeBASE',
  ANTE: 'modeANTE',
  BONUS: 'modeBONUS',
};

/** Paytable, features, lines, modes and rules on one page. */
export function InfoDialog() {
  const { t } = useUi();
  return (
    <DialogFrame kind="infoDialog" title={t('info')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has nothing else that a keyboard could reach */}
      <section class="rules" tabIndex={0} aria-labelledby="dialogTitle">
        <Paytable />
        <FeatureNotes />
        <LineDiagrams />
        <ModesTable />
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

/** What each mode costs, returns and can pay. A replay has no config, so it lists all modes. */
function ModesTable() {
  const { model, t } = useUi();
  const isReplay = model.replay.value !== undefined;
  return (
    <section class="rulesPart">
      <h3>{t('modes')}</h3>
      <table class="modes">
        <thead>
          <tr>
            <th scope="col">{t('modeName')}</th>
            <th scope="col">{t('modeCost')}</th>
            <th scope="col">{t('modeRtp')}</th>
            <th scope="col">{t('modeMaxWin')}</th>
          </tr>
        </thead>
        <tbody>
          {MODES.filter((mode) => isReplay || isModeOffered(model, mode)).map((mode) => (
            <ModeRow key={mode} mode={mode} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ModeRow({ mode }: { mode: ModeName }) {
  const { model, t, percent } = useUi();
  const most = paidMicros({ betMicros: model.betMicros.value, hundredths: WIN_CAP_HUNDREDTHS });
  return (
    <tr>
      <th scope="row">{t(MODE_NAMES[mode])}</th>
      <td>
        <Multiple ofBet={MODE_COST_HUNDREDTHS[mode] / 100} micros={costOfMode(model, mode)} />
      </td>
      <td>{percent(RTP_BASIS_POINTS)}</td>
      <td>
        <Multiple ofBet={WIN_CAP_HUNDREDTHS / 100} micros={most} />
      </td>
    </tr>
  );
}

/** As a multiple of the bet, and in money at the current bet. */
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
  const { model, t, percent } = useUi();
  const { spaceBar, slamStop } = model.permissions.value;
  return (
    <section class="rulesPart">
      <h3>{t('rules')}</h3>
      <ul class="plainNotes">
        {/* The longer text mentions the space bar and stopping the reels. */}
        <li>{t(spaceBar && slamStop ? 'rulesControls' : 'rulesControlsPlain')}</li>
        <li>{t('rulesRtp', { rtp: percent(RTP_BASIS_POINTS) })}</li>
        <li>{t('rulesInterrupted')}</li>
        <li>{t('rulesMalfunction')}</li>
      </ul>
      <p class="version">
        {GAME_TITLE} {GAME_VERSION}
      </p>
    </section>
  );
}
