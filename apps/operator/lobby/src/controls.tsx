import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Options of one group appear under its name. */
type Option = { value: string; label: string; group?: string };

type SelectFieldProps = {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
};

export function SelectField({ label, value, options, onChoose }: SelectFieldProps) {
  const id = useId();
  const groups = [...new Set(options.map(({ group }) => group))];
  const optionsOf = (wanted: string | undefined) =>
    options
      .filter(({ group }) => group === wanted)
      .map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="selectBox">
        <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {groups.map((group) =>
            group === undefined ? (
              optionsOf(group)
            ) : (
              <optgroup key={group} label={group}>
                {optionsOf(group)}
              </optgroup>
            ),
          )}
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
  issue?: string | undefined;
  hint?: string;
  inputMode?: 'text' | 'numeric' | 'decimal';
  maxLength?: number;
};

export function TextField({ label, value, onType, issue, hint, inputMode = 'text', maxLength }: TextFieldProps) {
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
        aria-invalid={issue !== undefined}
        aria-describedby={issue === undefined ? undefined : `${id}-issue`}
        {...(hint !== undefined && { placeholder: hint })}
        {...(maxLength !== undefined && { maxLength })}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      {issue !== undefined && (
        <span class="fieldIssue" id={`${id}-issue`}>
          {issue}
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

/** Shows a choice of one option, with all options visible. */
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

type IconButtonProps = {
  icon: IconName;
  label: string;
  isPressed?: boolean;
  className?: string;
  onPress: () => void;
};

/** Shows a square button with a picture and a name. `isPressed` makes it a toggle. */
export function IconButton({ icon, label, isPressed, className = '', onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`button quiet square ${className}`}
      aria-label={label}
      title={label}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

const PATHS = {
  bench: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5',
  check: 'm5 12.5 4.5 4.5L19 7',
  chevron: 'm6 9.5 6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  desktop: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  mobile: 'M7.5 3h9v18h-9zM11 18h2',
  player: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6',
  play: 'M8 5.5v13l10.5-6.5z',
  reload: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 3.5v4h-4',
  theatre: 'M3 6h18v12H3zM6.5 9.5v5M17.5 9.5v5',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.3',
  window: 'M13.5 4H20v6.5M20 4l-9 9M18 13.5V20H4V6h6.5',
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: a text or a label next to it has the same meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

type NoticeProps = { children: ComponentChildren; action?: { label: string; onPress: () => void } | undefined };

/** Shows a failure, with a button to try again. */
export function Notice({ children, action }: NoticeProps) {
  return (
    <div class="notice" role="alert">
      <Icon name="warning" />
      <p>{children}</p>
      {action && (
        <button type="button" class="button quiet" onClick={action.onPress}>
          {action.label}
        </button>
      )}
    </div>
  );
}
