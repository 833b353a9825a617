import { autoplayChoices } from '@roundhouse/sdk/duties';
import { useState } from 'preact/hooks';
import type { AutoplaySettings, AutoplayStop } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';
import { TextButton } from '../parts/buttons.tsx';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';
import { AskDialog, DialogFrame } from './dialogFrame.tsx';

export const SPIN_CHOICES = [10, 25, 50, 100, 250, 500] as const;

/** Limits are offered as multiples of what a spin costs. */
export const LOSS_LIMIT_STAKES = [10, 25, 50, 100, 250] as const;
export const WIN_LIMIT_STAKES = [10, 25, 50, 100, 250] as const;

/**
 * Holds what the player has chosen in the form; limits in stakes, undefined for none, or for none
 * yet where one is required.
 */
type AutoplayChoice = {
  readonly spins: number;
  readonly lossLimitStakes: number | undefined;
  readonly winLimitStakes: number | undefined;
  readonly stopOnFreeSpins: boolean;
};

/**
 * Returns the choice that risks least. Where a loss limit is required, the player chooses it:
 * nothing is preselected.
 */
export function firstChoice({ needsLossLimit, spins }: { needsLossLimit: boolean; spins: number }): AutoplayChoice {
  return {
    spins,
    lossLimitStakes: needsLossLimit ? undefined : LOSS_LIMIT_STAKES[0],
    winLimitStakes: undefined,
    stopOnFreeSpins: false,
  };
}

/** Six texts of this width fit in a row, in em. */
const LONG_EM = 4;

const STOP_TEXTS: Readonly<Record<AutoplayStop, TextKey>> = {
  lossLimit: 'autoplayStoppedLoss',
  singleWinLimit: 'autoplayStoppedWin',
  freeSpins: 'autoplayStoppedFreeSpins',
};

/** Asks for the number of rounds and limits. The next dialog is the confirmation. */
export function AutoplayDialog() {
  const { model, actions, t, money, number } = useUi();
  const { autoplayNeedsLossLimit: needsLossLimit, autoplayMaximumRounds } = model.permissions.value;
  const spins = autoplayChoices(SPIN_CHOICES, autoplayMaximumRounds);
  const [choice, setChoice] = useState<AutoplayChoice>(firstChoice({ needsLossLimit, spins: spins[0] ?? 1 }));
  const change = (changed: Partial<AutoplayChoice>) => setChoice({ ...choice, ...changed });
  const stake = model.stakeMicros.value;
  const isLimitMissing = needsLossLimit && choice.lossLimitStakes === undefined;
  const limits = (stakes: readonly number[]) => stakes.map((value) => ({ value, text: money(value * stake) }));
  const noLimit = { value: undefined, text: t('noLimit') };
  return (
    <DialogFrame
      kind="autoplayDialog"
      title={t('autoplay')}
      actions={
        <TextButton
          isMain
          isResting={isLimitMissing}
          describedBy={isLimitMissing ? 'lossLimitNeeded' : undefined}
          onPress={() => actions.askAutoplay(settingsOf(choice, stake))}
        >
          {t('autoplayStart')}
        </TextButton>
      }
    >
      <ChoiceGroup
        legend={t('autoplaySpins')}
        name="spins"
        choices={spins.map((value) => ({ value, text: number(value) }))}
        chosen={choice.spins}
        onChoose={(spins) => change({ spins })}
      />
      <ChoiceGroup
        legend={t('autoplayLossLimit')}
        name="lossLimit"
        choices={needsLossLimit ? limits(LOSS_LIMIT_STAKES) : [noLimit, ...limits(LOSS_LIMIT_STAKES)]}
        chosen={choice.lossLimitStakes}
        onChoose={(lossLimitStakes) => change({ lossLimitStakes })}
      />
      {isLimitMissing && (
        <p class="limitNeeded" id="lossLimitNeeded">
          {t('autoplayNeedsLossLimit')}
        </p>
      )}
      <ChoiceGroup
        legend={t('autoplayWinLimit')}
        name="winLimit"
        choices={[noLimit, ...limits(WIN_LIMIT_STAKES)]}
        chosen={choice.winLimitStakes}
        onChoose={(winLimitStakes) => change({ winLimitStakes })}
      />
      <label class="switchRow">
        <span>{t('autoplayStopOnFreeSpins')}</span>
        <input
          type="checkbox"
          class="toggle"
          checked={choice.stopOnFreeSpins}
          onChange={(event) => change({ stopOnFreeSpins: event.currentTarget.checked })}
        />
      </label>
    </DialogFrame>
  );
}

/** Returns the choice in money, at what a spin costs now, in micros. */
export function settingsOf(choice: AutoplayChoice, stakeMicros: number): AutoplaySettings {
  const inMoney = (stakes: number | undefined) => (stakes === undefined ? undefined : stakes * stakeMicros);
  return {
    spins: choice.spins,
    lossLimitMicros: inMoney(choice.lossLimitStakes),
    singleWinLimitMicros: inMoney(choice.winLimitStakes),
    stopOnFreeSpins: choice.stopOnFreeSpins,
  };
}

type ChoiceGroupProps<Value> = {
  readonly legend: string;
  readonly name: string;
  readonly choices: readonly { readonly value: Value; readonly text: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
};

/**
 * Shows a choice of one value: the browser's radio buttons in the look of chips, so that keys and
 * names work as usual.
 */
function ChoiceGroup<Value extends number | undefined>(props: ChoiceGroupProps<Value>) {
  const { legend, name, choices, chosen, onChoose } = props;
  const isLong = choices.some(({ text }) => textWidthEm(text) > LONG_EM);
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      <div class={isLong ? 'chipRow long' : 'chipRow'}>
        {choices.map(({ value, text }) => (
          <label key={text} class="chip">
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            <span class="chipText" style={{ '--em': textWidthEm(text) }}>
              {text}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Shows the confirmation before autoplay: number of rounds, stake, and limits. */
export function AutoplayConfirmDialog({ settings }: { settings: AutoplaySettings }) {
  const { model, actions, t, money } = useUi();
  const limit = (micros: number | undefined) => (micros === undefined ? t('noLimit') : money(micros));
  return (
    <AskDialog title={t('autoplay')} confirm={t('autoplayStart')} onConfirm={() => actions.startAutoplay(settings)}>
      <p class="question">
        {model.grant.value
          ? t('freeRoundsAutoplay')
          : t('autoplayQuestion', { count: settings.spins, bet: money(model.stakeMicros.value) })}
      </p>
      <dl class="summary">
        <div>
          <dt>{t('autoplayLossLimit')}</dt>
          <dd>{limit(settings.lossLimitMicros)}</dd>
        </div>
        <div>
          <dt>{t('autoplayWinLimit')}</dt>
          <dd>{limit(settings.singleWinLimitMicros)}</dd>
        </div>
        {settings.stopOnFreeSpins && (
          <div>
            <dt>{t('autoplayStopOnFreeSpins')}</dt>
            <dd aria-hidden="true">✓</dd>
          </div>
        )}
      </dl>
    </AskDialog>
  );
}

/** Why autoplay has stopped. */
export function NoticeDialog({ why }: { why: AutoplayStop }) {
  const { actions, t } = useUi();
  return (
    <DialogFrame
      kind="askDialog"
      title={t('autoplayStopped')}
      actions={
        <TextButton isMain isFirst onPress={actions.closeDialog}>
          {t('confirm')}
        </TextButton>
      }
    >
      <p class="question">{t(STOP_TEXTS[why])}</p>
    </DialogFrame>
  );
}
