import { useLayoutEffect, useRef } from 'preact/hooks';
import { useUi } from '../uiContext.ts';
import { hidesGame, welcomeKindOf } from '../welcome.tsx';
import { Features } from './features.tsx';
import { FreeRoundsBar } from './freeRounds.tsx';
import { AutoplayKey, BetKeys, Tools, TurboKey } from './keys.tsx';
import { BalanceMeter, BetMeter, Facts, FreeSpinsBar, WinMeter } from './meters.tsx';
import { SpinButton } from './spinButton.tsx';

/** CSS pixels, from the window's top left corner. */
export type FreeArea = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/**
 * Shows everything around the reels. There is one tree for all layouts: the stylesheets place its
 * groups. It is hidden and inert until the player has entered, but keeps its space.
 */
export function Hud({ onFreeArea }: { onFreeArea: (area: FreeArea) => void }) {
  const { model } = useUi();
  const isHidden = hidesGame(welcomeKindOf(model));
  const hud = useSpinFocus({ isHidden });
  const isReplay = model.replay.value !== undefined;
  const isMirrored = model.leftHanded.value !== (model.direction === 'rtl');
  return (
    <main
      ref={hud}
      class="hud"
      inert={isHidden}
      data-hidden={isHidden ? '' : undefined}
      data-mirrored={isMirrored ? '' : undefined}
      data-replay={isReplay ? '' : undefined}
    >
      <Facts />
      <SidePanel />
      <FreeAreaProbe onFreeArea={onFreeArea} isMirrored={isMirrored} />
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

/** Shows the free spins of a round, else the free rounds, else what can be added to a spin. */
function SidePanel() {
  const { model } = useUi();
  const [shown, grant] = [model.freeSpins.value, model.grant.value];
  if (shown) return <FreeSpinsBar shown={shown} />;
  if (model.replay.value) return null;
  return grant ? <FreeRoundsBar grant={grant} /> : <Features />;
}

/**
 * The layout's empty cell, where the reels are drawn. The probe measures it, so that only the
 * stylesheets know the layout.
 */
function FreeAreaProbe({ onFreeArea, isMirrored }: { onFreeArea: (area: FreeArea) => void; isMirrored: boolean }) {
  const cell = useRef<HTMLDivElement>(null);

  // Mirroring moves the cell and resizes nothing.
  useLayoutEffect(() => {
    const element = cell.current;
    const hud = element?.parentElement;
    if (!element || !hud) return;
    let reported = '';
    const report = () => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const area = [x, y, width, height].map(Math.round).join(' ');
      if (area !== reported) onFreeArea({ x, y, width, height });
      reported = area;
    };
    report();
    // A bar that grows on one side and shrinks on the other moves the cell without resizing it, so
    // the bars are watched too.
    const observer = new ResizeObserver(report);
    for (const watched of [hud, ...hud.children]) observer.observe(watched);
    return () => observer.disconnect();
  }, [onFreeArea, isMirrored]);

  return <div class="freeArea" aria-hidden="true" ref={cell} />;
}

/**
 * The space bar presses the focused button, and spins when no button has the focus. So a button
 * that is pressed with the mouse loses the focus. A player who enters by keyboard starts on the
 * spin button.
 */
function useSpinFocus({ isHidden }: { isHidden: boolean }) {
  const hud = useRef<HTMLElement>(null);

  useLayoutEffect(() => {
    const element = hud.current;
    element?.addEventListener('mousedown', leaveFocus);
    return () => element?.removeEventListener('mousedown', leaveFocus);
  }, []);

  useLayoutEffect(() => {
    const isFocusFree = document.activeElement === null || document.activeElement === document.body;
    if (!isHidden && isFocusFree) hud.current?.querySelector<HTMLElement>('.spin')?.focus();
  }, [isHidden]);

  return hud;
}

function leaveFocus(event: Event): void {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
