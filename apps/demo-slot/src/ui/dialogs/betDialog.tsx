import { betLevelsOf } from '@roundhouse/sdk';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';
import { placeAfterKey } from './gridKeys.ts';

/** All bet levels. The grid is one stop for the tab key; inside, the arrow keys move. */
export function BetDialog() {
  const { model, actions, t, money } = useUi();
  const grid = useRef<HTMLDivElement>(null);
  const levels: readonly number[] = model.config.value ? betLevelsOf(model.config.value) : [];
  const current = levels.indexOf(model.betMicros.value);

  useLayoutEffect(() => {
    grid.current?.querySelector<HTMLButtonElement>('[tabindex="0"]')?.focus();
  }, []);

  const move = (event: KeyboardEvent) => {
    const buttons: HTMLElement[] = [...(grid.current?.querySelectorAll('button') ?? [])];
    const from = buttons.indexOf(event.target as HTMLElement);
    const firstRow = buttons.filter((button) => button.offsetTop === buttons[0]?.offsetTop);
    const to = placeAfterKey(event.key, {
      from,
      count: buttons.length,
      columns: firstRow.length,
      isRightToLeft: model.direction === 'rtl',
    });
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  };
  return (
    <DialogFrame kind="betDialog" title={t('chooseBet')}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs, and these act at once */}
      <div class="betGrid" role="group" aria-labelledby="dialogTitle" ref={grid} onKeyDown={move}>
        {levels.map((level, place) => (
          <button
            key={level}
            type="button"
            class="chip"
            aria-pressed={place === current}
            tabIndex={place === Math.max(0, current) ? 0 : -1}
            onClick={() => {
              actions.setBet(level);
              actions.closeDialog();
            }}
          >
            <span class="chipText" style={{ '--em': textWidthEm(money(level)) }}>
              {money(level)}
            </span>
          </button>
        ))}
      </div>
    </DialogFrame>
  );
}
