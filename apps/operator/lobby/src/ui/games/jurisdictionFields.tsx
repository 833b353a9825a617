import { JURISDICTION_FLAGS, type Jurisdiction, MAX_ROUND_DURATION_MS } from '@roundhouse/contract/light';
import { useId } from 'preact/hooks';
import { isRoundDuration } from '../../games/playChoices.ts';
import { texts } from '../../texts.ts';
import { Switch } from '../parts/fields.tsx';

type Props = { jurisdiction: Readonly<Jurisdiction>; onChange: (change: Partial<Jurisdiction>) => void };

/** The twelve demands. */
export function JurisdictionFields({ jurisdiction, onChange }: Props) {
  const id = useId();
  return (
    <div class="demands">
      {JURISDICTION_FLAGS.map((flag) => (
        <Switch
          key={flag}
          label={texts.choices.flags[flag]}
          on={jurisdiction[flag]}
          onSwitch={(on) => onChange({ [flag]: on })}
        />
      ))}
      <div class="field inline">
        <label for={id}>{texts.choices.minimumRoundDuration}</label>
        <input
          id={id}
          type="number"
          min={0}
          max={MAX_ROUND_DURATION_MS}
          step={100}
          value={jurisdiction.minimumRoundDuration}
          onChange={({ currentTarget }) => {
            const typed = currentTarget.valueAsNumber;
            const minimumRoundDuration = isRoundDuration(typed) ? typed : 0;
            currentTarget.value = String(minimumRoundDuration);
            onChange({ minimumRoundDuration });
          }}
        />
      </div>
    </div>
  );
}
