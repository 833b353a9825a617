import { useUi } from '../uiContext.ts';
import { hidesGame, welcomeKindOf } from '../welcome/welcomeKind.ts';
import { AutoplayKey } from './autoplayKey.tsx';
import { BetKeys } from './betKeys.tsx';
import { BetMeter } from './betMeter.tsx';
import { Facts } from './facts.tsx';
import { Features } from './features.tsx';
import { type FreeArea, FreeAreaProbe } from './freeAreaProbe.tsx';
import { FreeSpinsBar } from './freeSpinsBar.tsx';
import { useKeyboardHome } from './keyboardHome.ts';
import { BalanceMeter, WinMeter } from './meters.tsx';
import { SpinButton } from './spinButton.tsx';
import { Tools } from './tools.tsx';
import { TurboKey } from './turboKey.tsx';

/**
 * Everything around the reels. One tree for all layouts: the stylesheets put its groups where there
 * is room. Until the player has entered it is invisible and unreachable, but takes its space, so
 * that the reels have theirs.
 */
export function Hud({ onFreeArea }: { onFreeArea: (area: FreeArea) => void }) {
  const { model } = useUi();
  const isHidden = hidesGame(welcomeKindOf(model));
  const hud = useKeyboardHome({ isHidden });
  const isReplay = model.replay.value !== undefined;
  return (
    <main
      ref={hud}
      class="hud"
      inert={isHidden}
      data-hidden={isHidden ? '' : undefined}
      data-replay={isReplay ? '' : undefined}
    >
      <Facts />
      {model.freeSpins.value ? <FreeSpinsBar shown={model.freeSpins.value} /> : !isReplay && <Features />}
      <FreeAreaProbe onFreeArea={onFreeArea} />
      <div class="bar">
        <Tools />
        <div class="purse">
          <div class="money">
            <BalanceMeter />
            <BetMeter />
            <WinMeter />
          </div>
          {!isReplay && <BetKeys />}
        </div>
        <div class="drive">
          <SpinButton />
          <div class="extras">
            <TurboKey />
            <AutoplayKey />
          </div>
        </div>
      </div>
    </main>
  );
}
