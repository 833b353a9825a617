import { useHotkeys } from '@mantine/hooks';
import { useCallback, useState } from 'react';

/** Returns the row after a key press, within the table. -1 means no row. */
export function moveRow(active: number, step: 1 | -1, count: number): number {
  if (count === 0) return -1;
  if (active < 0) return step > 0 ? 0 : count - 1;
  return Math.min(count - 1, Math.max(0, active + step));
}

type Options = { count: number; isOn: boolean; open: (index: number) => void };

/** Moves through the rows of a table by j and k, and opens one by Enter. */
export function useRowKeys({ count, isOn, open }: Options) {
  const [active, setActive] = useState(-1);
  const isFree = () => isOn && document.querySelector('[role="dialog"][aria-modal="true"]') === null;
  const move = (step: 1 | -1) => isFree() && setActive((before) => moveRow(before, step, count));
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    [
      'Enter',
      ({ target }) => {
        // Enter on a link or a button activates that.
        const isControl = target instanceof Element && target.closest('a, button, summary') !== null;
        if (active >= 0 && active < count && !isControl && isFree()) open(active);
      },
      { preventDefault: false },
    ],
  ]);
  const scrollTo = useCallback((row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' }), []);
  return { active: active < count ? active : -1, scrollTo };
}
