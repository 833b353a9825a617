import { useState } from 'preact/hooks';
import { ChoiceGroup } from '../parts/choiceGroup.tsx';
import { TextButton } from '../parts/textButton.tsx';
import { useUi } from '../uiContext.ts';
import {
  type AutoplayChoice,
  FIRST_CHOICE,
  LOSS_LIMIT_STAKES,
  SPIN_CHOICES,
  settingsOf,
  WIN_LIMIT_STAKES,
} from './autoplayChoices.ts';
import { DialogFrame } from './dialogFrame.tsx';

/** Number of rounds and limits. The next dialog asks for confirmation. */
export function AutoplayDialog() {
  const { model, actions, t, money, number } = useUi();
  const [choice, setChoice] = useState<AutoplayChoice>(FIRST_CHOICE);
  const change = (changed: Partial<AutoplayChoice>) => setChoice({ ...choice, ...changed });
  const stake = model.stakeMicros.value;
  const limits = (stakes: readonly number[]) => [
    { value: undefined, text: t('noLimit') },
    ...stakes.map((value) => ({ value, text: money(value * stake) })),
  ];
  return (
    <DialogFrame
      kind="autoplayDialog"
      title={t('autoplay')}
      actions={
        <TextButton isMain onPress={() => actions.askAutoplay(settingsOf(choice, stake))}>
          {t('autoplayStart')}
        </TextButton>
      }
    >
      <ChoiceGroup
        legend={t('autoplaySpins')}
        name="spins"
        choices={SPIN_CHOICES.map((value) => ({ value, text: number(value) }))}
        chosen={choice.spins}
        onChoose={(spins) => change({ spins })}
      />
      <ChoiceGroup
        legend={t('autoplayLossLimit')}
        name="lossLimit"
        choices={limits(LOSS_LIMIT_STAKES)}
        chosen={choice.lossLimitStakes}
        onChoose={(lossLimitStakes) => change({ lossLimitStakes })}
      />
      <ChoiceGroup
        legend={t('autoplayWinLimit')}
        name="winLimit"
        choices={limits(WIN_LIMIT_STAKES)}
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
