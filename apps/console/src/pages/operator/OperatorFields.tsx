import { Checkbox, MultiSelect, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { AdminOperatorDetail, OperatorPresets } from '@roundhouse/contract/admin';
import { Picker } from '../../components/Picker.tsx';
import { useGames } from '../../lib/choices.ts';
import type { OperatorValues } from './operatorForm.ts';

type Props = {
  form: UseFormReturnType<OperatorValues>;
  choices: OperatorPresets;
  operator?: AdminOperatorDetail;
};

const DRAWS = [
  { value: 'game', label: 'as set by the game' },
  { value: 'certified', label: 'certified generator' },
  { value: 'provablyFair', label: 'provably fair' },
];

/** The server checks each field, and each issue appears at its field. */
export function OperatorFields({ form, choices: { dialects, currencies, languages }, operator }: Props) {
  const isSeamless = form.values.walletUrl !== '';
  const games = useGames();
  const field = (name: keyof OperatorValues) => form.getInputProps(name);
  const check = (name: keyof OperatorValues) => form.getInputProps(name, { type: 'checkbox' });
  return (
    <>
      {operator === undefined && (
        <TextInput
          label="Code"
          description="Short name of a-z, 0-9 and “-”. Addresses contain it, and it never changes."
          required
          data-autofocus
          {...field('code')}
        />
      )}
      <TextInput label="Name" {...field('name')} />
      <TextInput
        label="Wallet URL"
        description="Base address of the operator's wallet. Empty: house wallet, with the balances on this server."
        {...field('walletUrl')}
      />
      {isSeamless && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select label="Dialect" data={dialects} allowDeselect={false} {...field('dialect')} />
          <NumberInput label="Wallet time-out (ms)" allowDecimal={false} {...field('walletTimeoutMs')} />
        </SimpleGrid>
      )}
      {isSeamless && form.values.dialect !== 'roundhouse' && (
        <Textarea
          label="Dialect settings (JSON)"
          description={
            operator?.hasDialectSettings
              ? 'Stored, and never shown. Leave empty to keep them.'
              : 'The keys and names that the dialect needs. They are not shown again.'
          }
          autosize
          minRows={3}
          autoComplete="off"
          spellCheck={false}
          {...field('dialectSettings')}
        />
      )}
      <MultiSelect
        label="Currencies"
        placeholder={form.values.currencies.length === 0 ? 'All' : ''}
        data={currencies}
        searchable
        {...field('currencies')}
      />
      <MultiSelect label="Extra languages" data={languages} {...field('languages')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput label="Session time-out (min)" allowDecimal={false} {...field('sessionTimeoutMinutes')} />
        <NumberInput label="Session lifetime (min)" allowDecimal={false} {...field('sessionLifetimeMinutes')} />
        <NumberInput
          label="Complete abandoned rounds after (hours)"
          description="Empty: rounds wait for the player."
          allowDecimal={false}
          {...field('completeRoundsAfterHours')}
        />
        <Picker
          label="Default game"
          description="For sessions without a launch."
          data={games}
          clearable
          {...field('defaultGame')}
        />
        <TextInput label="Allowed countries" placeholder="FI, SE" {...field('allowedCountries')} />
        <TextInput label="Blocked countries" placeholder="US" {...field('blockedCountries')} />
        <NumberInput label="Max free rounds per grant" allowDecimal={false} {...field('maxFreeRounds')} />
        <Select
          label="Draws"
          description="For new sessions, unless the launch names one."
          data={DRAWS}
          allowDeselect={false}
          {...field('draws')}
        />
      </SimpleGrid>
      <Checkbox label="The wallet supports free rounds" {...check('freeRounds')} />
      <Checkbox label="The wallet supports debits that close a lost round" {...check('closingDebits')} />
      <Checkbox label="Only sessions from a launch can play" {...check('launchedOnly')} />
      <Checkbox label="Default operator: verifies sessions that name no operator" {...check('isDefault')} />
    </>
  );
}
