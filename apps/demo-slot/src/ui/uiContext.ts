import { formatAmount } from '@roundhouse/sdk';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { MathStatistics } from '../../rules.ts';
import type { GameModel } from '../game/gameModel.ts';
import type { GameActions } from '../game/model.ts';
import type { TextKey, Texts, TextValues } from '../texts/texts.ts';

/** Every component gets this context. */
export type Ui = {
  readonly model: GameModel;
  readonly actions: GameActions;
  /** The statistics are those of the math that the page is served with. */
  readonly statistics: MathStatistics;
  /**
   * Returns a text in the player's language. A component that calls it is drawn again when the
   * words change to the social ones.
   */
  t(key: TextKey, values?: TextValues): string;
  /** Returns an amount in micros as the player reads it. */
  money(micros: number): string;
  /**
   * Returns a whole number, grouped as the language does, always with the digits 0 to 9: as amounts
   * are.
   */
  number(value: number): string;
  /** Writes two decimals at most. */
  decimal(value: number): string;
  /** Returns the hundredths of a percent: 9600 is written 96.00 %. */
  percent(basisPoints: number): string;
  /** Writes day and time as the language has them, in the time zone of the device. */
  moment(atMs: number): string;
  /** Writes hours and minutes in words. It takes milliseconds. */
  duration(elapsedMs: number): string;
};

type UiInput = {
  readonly model: GameModel;
  readonly actions: GameActions;
  readonly texts: Texts;
  readonly statistics: MathStatistics;
};

export function createUi({ model, actions, texts, statistics }: UiInput): Ui {
  const locale = `${model.language}-u-nu-latn`;
  const whole = new Intl.NumberFormat(locale);
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });
  const unit = (name: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' });
  const [hours, minutes] = [unit('hour'), unit('minute')];
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2 });
  return {
    model,
    actions,
    statistics,
    t(key, values) {
      // Read to subscribe: `texts` is not a signal.
      void model.social.value;
      return texts.t(key, values);
    },
    money: (micros) =>
      formatAmount(micros, model.currency.value, { language: model.language, social: model.social.value }),
    number: (value) => whole.format(value),
    decimal: (value) => decimal.format(value),
    percent: (basisPoints) => percent.format(basisPoints / 10_000),
    moment: (atMs) => moment.format(atMs),
    duration(elapsedMs) {
      const all = Math.floor(elapsedMs / 60_000);
      const whole = Math.floor(all / 60);
      return [...(whole > 0 ? [hours.format(whole)] : []), minutes.format(all % 60)].join(' ');
    },
  };
}

export const UiContext = createContext<Ui | undefined>(undefined);

export function useUi(): Ui {
  const ui = useContext(UiContext);
  if (!ui) throw new Error('drawn outside of mountUi');
  return ui;
}
