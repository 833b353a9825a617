import { costOfMode, isModeOffered } from '../../game/money.ts';
import { SymbolArt } from '../parts/art.tsx';
import { restable } from '../parts/buttons.tsx';
import { textWidthEm, widestWordEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';

/** Shows what the player can add to a spin, each with its price. */
export function Features() {
  const { model } = useUi();
  const offersBuy = model.permissions.value.buyFeature && isModeOffered(model, 'BONUS');
  const offersAnte = isModeOffered(model, 'ANTE');
  if (!offersBuy && !offersAnte) return null;
  return (
    <div class="features">
      {offersBuy && <BuyPlaque />}
      {offersAnte && <AntePlaque />}
    </div>
  );
}

function BuyPlaque() {
  const { model, actions, t } = useUi();
  return (
    <button
      type="button"
      class="plaque buyPlaque"
      aria-haspopup="dialog"
      aria-expanded={model.dialog.value?.kind === 'buy'}
      {...restable({ isResting: !model.canChangeBet.value, onPress: () => actions.openDialog('buy') })}
    >
      <SymbolArt symbol="S" />
      <Name text={t('buy')} />
      <Price micros={costOfMode(model, 'BONUS')} />
    </button>
  );
}

function AntePlaque() {
  const { model, actions, t, number } = useUi();
  const isOn = model.mode.value === 'ANTE';
  const cost = model.config.value?.betModes.ANTE?.costMultiplier;
  return (
    <button
      type="button"
      class="plaque antePlaque"
      role="switch"
      aria-checked={isOn}
      aria-label={t('ante')}
      aria-describedby="antePrice"
      title={cost === undefined ? undefined : t('anteNote', { cost: number(cost) })}
      {...restable({ isResting: !model.canChangeBet.value, onPress: () => actions.setAnte(!isOn) })}
    >
      <Name text={t('ante')} />
      <Price id="antePrice" micros={costOfMode(model, 'ANTE')} />
      <span class="toggle" aria-hidden="true" />
    </button>
  );
}

function Name({ text }: { text: string }) {
  return (
    <span class="nameBox">
      <span class="plaqueName" style={{ '--em': widestWordEm(text) }}>
        {text}
      </span>
    </span>
  );
}

function Price({ id, micros }: { id?: string; micros: number }) {
  const { money } = useUi();
  const text = money(micros);
  return (
    <span class="priceBox" id={id}>
      <span class="price" style={{ '--em': textWidthEm(text) }}>
        {text}
      </span>
    </span>
  );
}
