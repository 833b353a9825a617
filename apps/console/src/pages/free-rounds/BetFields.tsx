import { Button, Group, Input, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Picker } from '../../components/Picker.tsx';
import { amountText, plainAmount } from '../../lib/money.ts';
import type { commonTerms } from './campaignChoices.ts';

type Bet = { currency: string; amount: string };
type Props = {
  // biome-ignore lint/suspicious/noExplicitAny: the other fields of the form do not matter here.
  form: UseFormReturnType<any>;
  terms: ReturnType<typeof commonTerms>;
};

/** Each currency of the campaign has one bet for each round: a bet level of all its games. */
export function BetFields({ form, terms }: Props) {
  const { bets } = form.values as { bets: readonly Bet[] };
  return (
    <Input.Wrapper label="Bet per round" required error={form.errors.bets}>
      {bets.map(({ currency }, place) => {
        const levels = terms.levelsIn(currency);
        const amount = form.getInputProps(`bets.${place}.amount`);
        const text = { 'aria-label': `Amount ${place + 1}`, placeholder: 'Amount', w: 150 };
        return (
          <Group key={place} gap="xs" mt={4} wrap="nowrap">
            <Picker
              aria-label={`Currency ${place + 1}`}
              placeholder="Currency"
              w={120}
              data={terms.currencies}
              {...form.getInputProps(`bets.${place}.currency`)}
            />
            {levels === undefined || currency === '' ? (
              <TextInput {...text} inputMode="decimal" disabled={currency === ''} {...amount} />
            ) : (
              <Picker
                {...text}
                data={levels.map((micros) => ({
                  value: plainAmount(micros, currency),
                  label: amountText(micros, currency),
                }))}
                {...amount}
              />
            )}
            {bets.length > 1 && (
              <Button size="xs" variant="subtle" onClick={() => form.removeListItem('bets', place)}>
                Remove
              </Button>
            )}
          </Group>
        );
      })}
      <Button
        size="compact-xs"
        variant="subtle"
        mt={4}
        onClick={() => form.insertListItem('bets', { currency: '', amount: '' })}
      >
        Another currency
      </Button>
    </Input.Wrapper>
  );
}
