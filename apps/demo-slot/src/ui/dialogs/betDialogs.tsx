import { betLevelsOf } from '@roundhouse/sdk';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MODE_COST_HUNDREDTHS, type ModeName } from '../../../rules.ts';
import { SymbolArt } from '../parts/art.tsx';
import { textWidthEm } from '../parts/textWidth.ts';
import { useUi } from '../uiContext.ts';
import { AskDialog, DialogFrame } from './dialogFrame.tsx';

/** Four texts of this width fit in a row, in em. */
const LONG_EM = 5;

/** Shows all bet levels. The grid is one stop for the tab key; inside, the arrow keys move. */
export function BetDialog() {
  const { model, actions, t, money } = useUi();
  const grid = useRef<HTMLDivElement>(null);
  const levels: readonly number[] = model.config.value ? betLevelsOf(model.config.value) : [];
  const isLong = levels.some((level) => textWidthEm(money(level)) > LONG_EM);
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
      {/* biome-ignore lint/a11y/useSemanticElements: A fieldset is for inputs; these act. */}
      <div
        class={isLong ? 'betGrid long' : 'betGrid'}
        role="group"
        aria-labelledby="dialogTitle"
        ref={grid}
        onKeyDown={move}
      >
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

type GridPosition = {
  /** This cell has the focus, counted from 0. */
  readonly from: number;
  readonly count: number;
  readonly columns: number;
  readonly isRightToLeft: boolean;
};

/**
 * Returns where a key moves the focus to in a grid that is filled row by row; undefined for a key
 * that moves nothing, or over the edge.
 */
export function placeAfterKey(key: string, { from, count, columns, isRightToLeft }: GridPosition): number | undefined {
  const forward = isRightToLeft ? -1 : 1;
  const places: Readonly<Record<string, number>> = {
    ArrowRight: from + forward,
    ArrowLeft: from - forward,
    ArrowDown: from + columns,
    ArrowUp: from - columns,
    Home: 0,
    End: count - 1,
  };
  const to = places[key];
  return to === undefined || to < 0 || to >= count ? undefined : to;
}

export function BuyDialog({ mode, costMicros }: { mode: ModeName; costMicros: number }) {
  const { model, actions, t, money, number } = useUi();
  const multiple = model.config.value?.betModes[mode]?.costMultiplier ?? MODE_COST_HUNDREDTHS[mode] / 100;
  return (
    <AskDialog
      kind="buyDialog"
      title={t('buy')}
      confirm={t('buyConfirm', { cost: money(costMicros) })}
      onConfirm={actions.buyFeature}
    >
      <div class="buyArt" aria-hidden="true">
        <SymbolArt symbol="S" />
        <SymbolArt symbol="S" />
        <SymbolArt symbol="S" />
      </div>
      <p class="question">{t('buyQuestion', { cost: money(costMicros) })}</p>
      <p>{t('buyNote', { multiple: number(multiple), bet: money(model.betMicros.value) })}</p>
    </AskDialog>
  );
}
