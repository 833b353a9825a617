import type { ComponentChildren } from 'preact';
import { Digits } from './digits.tsx';
import { textWidthEm } from './textWidth.ts';

export type MeterProps = {
  /** The name of the value, seen and heard. */
  readonly label: string;
  readonly value: string;
  readonly kind: string;
  readonly children?: ComponentChildren;
};

/**
 * A named value that shrinks to fit its place. Screen readers read each change of an `output`.
 * While it counts up that would be too much, so it is silent, and the announcer reads the result.
 */
export function Meter({ label, value, kind, children }: MeterProps) {
  return (
    <div class={`meter ${kind}`}>
      <span class="meterLabel" aria-hidden="true" style={{ '--em': textWidthEm(label, { isCapitals: true }) }}>
        {label}
      </span>
      <output class="meterValue" aria-label={label} aria-live="off" style={{ '--em': textWidthEm(value) }}>
        <Digits text={value} />
      </output>
      {children}
    </div>
  );
}
