import { type CurrencyCode, DEVICES, LANGUAGES, type Language } from '@roundhouse/contract/light';
import type { LobbyFacts } from '../../api/apiTypes.ts';
import { demandsOf, isCountryFit } from '../../games/playChoices.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Segments, SelectField, Switch, TextField } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';
import { JurisdictionFields } from './jurisdictionFields.tsx';

/** How games open, and what the place of play demands. */
export function PlayChoicesPanel({ facts }: { facts: LobbyFacts }) {
  const { account, table } = useLobby();
  const { language, device, social, country, jurisdiction } = table.choices.value;
  const fault = isCountryFit(country) ? undefined : texts.choices.countryFault;
  return (
    <section class="choices" aria-label={texts.choices.title}>
      <div class="choiceRow">
        <SelectField
          label={texts.choices.language}
          value={language}
          options={facts.languages.map((code) => ({ value: code, label: LANGUAGES[code].name }))}
          onChoose={(code) => table.choose({ language: code as Language })}
        />
        <SelectField
          label={texts.choices.currency}
          value={account.currency.value}
          options={facts.currencies.map((code) => ({ value: code, label: code }))}
          onChoose={(code) => void account.changeCurrency(code as CurrencyCode)}
        />
        <TextField
          label={texts.choices.country}
          value={country}
          hint={texts.choices.countryHint}
          fault={fault}
          maxLength={2}
          onType={(typed) => table.choose({ country: typed.trim().toUpperCase() })}
        />
        <Switch label={texts.choices.social} on={social} onSwitch={(on) => table.choose({ social: on })} />
        <Segments
          label={texts.choices.device}
          value={device}
          options={DEVICES.toReversed().map((value) => ({
            value,
            label: texts.choices.devices[value],
            picture: <Icon name={value} />,
          }))}
          onChoose={(value) => table.choose({ device: value })}
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
          onChange={(change) => table.choose({ jurisdiction: { ...jurisdiction, ...change } })}
        />
      </details>
    </section>
  );
}
