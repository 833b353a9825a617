import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';

type Option = { value: string; label: string };

type SelectFieldProps = {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
};

export function SelectField({ label, value, options, onChoose }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="selectBox">
        <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </span>
    </div>
  );
}

type TextFieldProps = {
  label: string;
  value: string;
  onType: (value: string) => void;
  /** What is wrong with the value. */
  fault?: string | undefined;
  hint?: string;
  inputMode?: 'text' | 'numeric' | 'decimal';
  maxLength?: number;
};

export function TextField({ label, value, onType, fault, hint, inputMode = 'text', maxLength }: TextFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={value}
        inputMode={inputMode}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
        {...(hint !== undefined && { placeholder: hint })}
        {...(maxLength !== undefined && { maxLength })}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      {fault !== undefined && (
        <span class="fieldFault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}

type SwitchProps = { label: string; on: boolean; onSwitch: (on: boolean) => void };

export function Switch({ label, on, onSwitch }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      <span class="switchTrack" aria-hidden="true" />
      <span>{label}</span>
    </label>
  );
}

type SegmentsProps<Value extends string> = {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; picture?: ComponentChildren }[];
  onChoose: (value: Value) => void;
};

/** One of a few, all of them in sight. */
export function Segments<Value extends string>({ label, value, options, onChoose }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset class="field segmentsField">
      <legend>{label}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>
              {option.picture}
              {option.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
