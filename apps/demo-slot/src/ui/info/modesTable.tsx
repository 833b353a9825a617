import { MODE_COST_HUNDREDTHS, MODES, type ModeName, RTP_BASIS_POINTS, WIN_CAP_HUNDREDTHS } from '../../../rules.ts';
import { costOfMode, isModeOffered, paidMicros } from '../../game/money.ts';
import type { TextKey } from '../../texts/texts.ts';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';

export const MODE_NAMES: Readonly<Record<ModeName, TextKey>> = {
  BASE: 'modeBASE',
  ANTE: 'modeANTE',
  BONUS: 'modeBONUS',
};

/** What each mode costs, returns and can pay. A replay has no config, so it lists all modes. */
export function ModesTable() {
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
