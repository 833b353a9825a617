import {
  type CurrencyCode,
  DEFAULT_JURISDICTION,
  DEVICES,
  type Device,
  JURISDICTION_COUNTS,
  JURISDICTION_DURATIONS,
  JURISDICTION_FLAGS,
  type Jurisdiction,
  type JurisdictionCount,
  type JurisdictionDuration,
  LANGUAGES,
  type Language,
  maxJurisdictionNumber,
} from '@roundhouse/contract/light';
import { useId } from 'preact/hooks';
import type { LobbyFacts } from '../api.ts';
import { Icon, Segments, SelectField, Switch, TextField } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { currencyOptions } from '../money.ts';
import { texts } from '../texts.ts';
import { demandsOf, isCountryValid, numberOf, PRESETS, type Preset, presetOf } from './launcher.ts';

/** Shows the options for opening a game, initially folded. */
export function ChoicesPanel({ facts }: { facts: LobbyFacts }) {
  const { launcher } = useLobby();
  const { country } = launcher.choices.value;
  return (
    <details
      class="choices"
      // Without a valid country no game opens, so the reason must be visible.
      open={launcher.hasOptions.value || !isCountryValid(country)}
      onToggle={({ currentTarget }) => launcher.unfoldOptions(currentTarget.open)}
    >
      <summary>
        <Icon name="bench" />
        <span>{texts.choices.title}</span> <ChoicesSummary />
        <Icon name="chevron" />
      </summary>
      <ChoiceFields facts={facts} />
    </details>
  );
}

function ChoicesSummary() {
  const { account, launcher } = useLobby();
  const { language, device, social, isFair, country, jurisdiction } = launcher.choices.value;
  const demands = Object.keys(demandsOf(jurisdiction)).length;
  const parts = [
    account.currency.value,
    LANGUAGES[language].name,
    texts.choices.devices[device],
    social && texts.choices.social,
    isFair && texts.choices.fair,
    country,
    demands > 0 && texts.choices.jurisdictionOn(demands),
  ];
  return <span class="choicesSummary soft">{texts.choices.summary(parts)}</span>;
}

function ChoiceFields({ facts }: { facts: LobbyFacts }) {
  const { account, launcher } = useLobby();
  const { language, device, social, isFair, country, jurisdiction } = launcher.choices.value;
  const issue = isCountryValid(country) ? undefined : texts.choices.countryIssue;
  return (
    <div class="choiceFields">
      <div class="choiceRow">
        <SelectField
          label={texts.choices.currency}
          value={account.currency.value}
          options={currencyOptions(facts.currencies)}
          onChoose={(code) => void account.changeCurrency(code as CurrencyCode)}
        />
        <SelectField
          label={texts.choices.language}
          value={language}
          options={facts.languages.map((code) => ({ value: code, label: LANGUAGES[code].name }))}
          onChoose={(code) => launcher.choose({ language: code as Language })}
        />
        <TextField
          label={texts.choices.country}
          value={country}
          hint={texts.choices.countryHint}
          issue={issue}
          maxLength={2}
          onType={(typed) => launcher.choose({ country: typed.trim().toUpperCase() })}
        />
        <Switch label={texts.choices.social} on={social} onSwitch={(on) => launcher.choose({ social: on })} />
        <Switch label={texts.choices.fair} on={isFair} onSwitch={(on) => launcher.choose({ isFair: on })} />
        <DeviceChoice
          label={texts.choices.device}
          device={device}
          onChoose={(value) => launcher.choose({ device: value })}
        />
      </div>
      <details class="jurisdiction">
        <summary>
          <Icon name="chevron" />
          {texts.choices.jurisdiction}{' '}
          <span class="soft">{texts.choices.jurisdictionOn(Object.keys(demandsOf(jurisdiction)).length)}</span>
        </summary>
        <JurisdictionFields
          jurisdiction={jurisdiction}
          onChange={(change) => launcher.choose({ jurisdiction: { ...jurisdiction, ...change } })}
        />
      </details>
    </div>
  );
}

type JurisdictionProps = { jurisdiction: Readonly<Jurisdiction>; onChange: (change: Partial<Jurisdiction>) => void };

function JurisdictionFields({ jurisdiction, onChange }: JurisdictionProps) {
  return (
    <div class="demands">
      <SelectField
        label={texts.choices.preset}
        value={presetOf(jurisdiction) ?? ''}
        options={[
          ...(Object.keys(PRESETS) as Preset[]).map((name) => ({ value: name, label: texts.choices.presets[name] })),
          ...(presetOf(jurisdiction) === undefined ? [{ value: '', label: texts.choices.ownDemands }] : []),
        ]}
        onChoose={(name) => onChange({ ...DEFAULT_JURISDICTION, ...PRESETS[name as Preset] })}
      />
      {JURISDICTION_FLAGS.map((flag) => (
        <Switch
          key={flag}
          label={texts.choices.flags[flag]}
          on={jurisdiction[flag]}
          onSwitch={(on) => onChange({ [flag]: on })}
        />
      ))}
      {[...JURISDICTION_DURATIONS, ...JURISDICTION_COUNTS].map((name) => (
        <NumberField key={name} name={name} jurisdiction={jurisdiction} onChange={onChange} />
      ))}
    </div>
  );
}

type NumberFieldProps = JurisdictionProps & { name: JurisdictionDuration | JurisdictionCount };

function NumberField({ name, jurisdiction, onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <div class="field inline">
      <label for={id}>{texts.choices.numbers[name]}</label>
      <input
        id={id}
        type="number"
        min={0}
        max={maxJurisdictionNumber(name)}
        step={name === 'maximumAutoplayRounds' ? 1 : 100}
        value={jurisdiction[name]}
        onChange={({ currentTarget }) => {
          const value = numberOf(name, currentTarget.valueAsNumber);
          currentTarget.value = String(value);
          onChange({ [name]: value });
        }}
      />
    </div>
  );
}

type DeviceProps = { label: string; device: Device; onChoose: (device: Device) => void };

export function DeviceChoice({ label, device, onChoose }: DeviceProps) {
  const options = DEVICES.toReversed().map((value) => ({
    value,
    label: texts.choices.devices[value],
    picture: <Icon name={value} />,
  }));
  return <Segments label={label} value={device} options={options} onChoose={onChoose} />;
}
