import { textWidthEm } from './textWidth.ts';

/** What fits six in a row at the size of other text, in em. */
const LONG_EM = 4;

export type ChoiceGroupProps<Value> = {
  readonly legend: string;
  readonly name: string;
  readonly choices: readonly { readonly value: Value; readonly text: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
};

/**
 * A choice of one value: the browser's radio buttons in the look of chips, so that keys and names
 * work as usual.
 */
export function ChoiceGroup<Value extends number | undefined>(props: ChoiceGroupProps<Value>) {
  const { legend, name, choices, chosen, onChoose } = props;
  const isLong = choices.some(({ text }) => textWidthEm(text) > LONG_EM);
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      <div class={isLong ? 'chipRow long' : 'chipRow'}>
        {choices.map(({ value, text }) => (
          <label key={text} class="chip">
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            <span class="chipText" style={{ '--em': textWidthEm(text) }}>
              {text}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
