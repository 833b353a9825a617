import { useLayoutEffect, useRef } from 'preact/hooks';
import { FREE_SPINS_BY_SCATTERS, type SymbolCode } from '../../rules.ts';
import { SymbolCard } from './dialogs/paytable.tsx';
import { useUi } from './uiContext.ts';

/** The bubble keeps this distance in CSS pixels from the symbol and from the window's edge. */
const GAP = 10;

/**
 * Shows what the symbol under the finger pays. Screen readers do not get it, because the paytable
 * says the same.
 */
export function PayBubble() {
  const { model, actions } = useUi();
  const shown = model.payBubble.value;

  useLayoutEffect(() => {
    const press = ({ target, clientX: x, clientY: y }: PointerEvent) => {
      // Presses go through this layer to the picture, except on its buttons and dialogs.
      const isOnPicture = target instanceof Element && !target.closest('.ui');
      actions.pressPicture(isOnPicture ? { x, y } : undefined);
    };
    const close = () => actions.pressPicture(undefined);
    addEventListener('pointerdown', press);
    addEventListener('keydown', close);
    addEventListener('resize', close);
    return () => {
      removeEventListener('pointerdown', press);
      removeEventListener('keydown', close);
      removeEventListener('resize', close);
    };
  }, [actions]);

  if (!shown) return null;
  const { x, y, width, height } = shown.box;
  return (
    <div aria-hidden="true">
      <div class="payRing" style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }} />
      <Bubble key={`${shown.reel} ${shown.row}`} symbol={shown.symbol} box={shown.box} />
    </div>
  );
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function Bubble({ symbol, box }: { symbol: SymbolCode; box: Box }) {
  const bubble = useRef<HTMLUListElement>(null);
  const note = useNote(symbol);

  useLayoutEffect(() => {
    const element = bubble.current;
    if (!element) return;
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const { left, top } = bubblePlace({ box, size, screen: { width: innerWidth, height: innerHeight } });
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }, [box]);

  return (
    <ul class="payBubble" ref={bubble}>
      <SymbolCard symbol={symbol} {...(note !== undefined && { note })} />
    </ul>
  );
}

/** Returns what a paytable cannot say by numbers. */
function useNote(symbol: SymbolCode): string | undefined {
  const { t, number } = useUi();
  const spinsFor = (scatters: number) => number(FREE_SPINS_BY_SCATTERS[scatters] ?? 0);
  if (symbol === 'W') return t('wildNote');
  if (symbol === 'S') return t('scatterNote', { three: spinsFor(3), four: spinsFor(4), five: spinsFor(5) });
  return undefined;
}

type Size = { readonly width: number; readonly height: number };

/**
 * Returns where the bubble goes: beside the symbol, on the side with more room; where both sides
 * are too narrow, above or below it. It stays inside the window's edge, if it fits at all.
 */
export function bubblePlace({ box, size, screen }: { box: Box; size: Size; screen: Size }): {
  readonly left: number;
  readonly top: number;
} {
  const within = (at: number, length: number, room: number) => Math.max(GAP, Math.min(at, room - length - GAP));
  const leftOf = box.x - GAP - size.width;
  const rightOf = box.x + box.width + GAP;
  const isInLeftHalf = box.x + box.width / 2 <= screen.width / 2;
  const beside = isInLeftHalf ? rightOf : leftOf;
  const left = within(beside, size.width, screen.width);
  if (left === beside) return { left, top: within(box.y + (box.height - size.height) / 2, size.height, screen.height) };
  const above = box.y - GAP - size.height;
  const top = above >= GAP ? above : box.y + box.height + GAP;
  return {
    left: within(box.x + (box.width - size.width) / 2, size.width, screen.width),
    top: within(top, size.height, screen.height),
  };
}
