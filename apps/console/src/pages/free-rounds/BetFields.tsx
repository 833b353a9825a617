import { Button, Group, Input, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

type Bet = { currency: string; amount: string };

/** The bet of each round, in each currency of the campaign. */
// biome-ignore lint/suspicious/noExplicitAny: the other fields of the form do not matter here.
export function BetFields({ form }: { form: UseFormReturnType<any> }) {
  const { bets } = form.values as { bets: readonly Bet[] };
  return (
    <Input.Wrapper
      label="Bet per round"
      description="In whole units; a bet level of each game"
      required
      error={form.errors.bets}
    >
      {bets.map((_bet, place) => (
        <Group key={place} gap="xs" mt={4} wrap="nowrap">
          <TextInput
            aria-label={`Currency ${place + 1}`}
            placeholder="EUR"
            w={90}
            maxLength={12}
            {...form.getInputProps(`bets.${place}.currency`)}
            onChange={(event) =>
              form.setFieldValue(`bets.${place}.currency`, event.currentTarget.value.trim().toUpperCase())
            }
          />
          <TextInput
            aria-label={`Amount ${place + 1}`}
            placeholder="1.00"
            w={120}
            inputMode="decimal"
            {...form.getInputProps(`bets.${place}.amount`)}
          />
          {bets.length > 1 && (
            <Button size="xs" variant="subtle" onClick={() => form.removeListItem('bets', place)}>
              Remove
            </Button>
          )}
        </Group>
      ))}
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
