import type { PlayerPace } from '../../game/model.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { IconName } from '../parts/icon.tsx';
import { RoundKey } from '../parts/roundKey.tsx';
import { useUi } from '../uiContext.ts';

export const PACES: Readonly<Record<PlayerPace, { name: TextKey; icon: IconName }>> = {
  normal: { name: 'paceNormal', icon: 'turbo' },
  turbo: { name: 'paceTurbo', icon: 'turbo' },
  superTurbo: { name: 'paceSuperTurbo', icon: 'superTurbo' },
};

export function TurboKey() {
  const { model, actions, t } = useUi();
  if (!model.permissions.value.turbo) return null;
  const pace = model.pace.value;
  const { name, icon } = PACES[pace];
  return <RoundKey kind="turbo" icon={icon} name={t(name)} isLit={pace !== 'normal'} onPress={actions.cyclePace} />;
}
