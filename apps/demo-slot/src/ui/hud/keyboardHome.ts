import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The space bar presses the button that has the focus, and spins where none has. So a button that
 * was pressed with the mouse must not keep the focus: the next space bar is for the reels. A player
 * who enters by keyboard starts on the round button.
 */
export function useKeyboardHome({ isHidden }: { isHidden: boolean }) {
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
