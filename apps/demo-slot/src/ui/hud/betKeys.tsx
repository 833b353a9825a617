import { RoundKey } from '../parts/roundKey.tsx';
import { useUi } from '../uiContext.ts';

export function BetKeys() {
  const { model, actions, t } = useUi();
  return (
    <div class="steps">
      <RoundKey
        kind="lower"
        icon="minus"
        name={t('lowerBet')}
        isResting={!model.canLowerBet.value}
        onPress={actions.lowerBet}
      />
      <RoundKey
        kind="raise"
        icon="plus"
        name={t('raiseBet')}
        isResting={!model.canRaiseBet.value}
        onPress={actions.raiseBet}
      />
    </div>
  );
}
