import { Checkbox, Modal, MultiSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { GrantPrice } from '@roundhouse/contract/admin';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../api.ts';
import { DateInput } from '../../components/DateInput.tsx';
import { FormButtons } from '../../components/FormButtons.tsx';
import { campaignPath } from '../../components/links.tsx';
import { Picker } from '../../components/Picker.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { useCurrenciesOf, useGameDetails, useGames, useOperators } from '../../lib/choices.ts';
import { readAmount } from '../../lib/money.ts';
import { utcInstant } from '../../lib/time.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import { BetFields } from './BetFields.tsx';
import { commonTerms } from './campaignChoices.ts';
import { priceText } from './campaignTexts.ts';

/** Creates a campaign. The server checks and prices its terms before you confirm them. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const { operator: own } = useAccount();
  const navigate = useNavigate();
  const price = useAction('priceTerms');
  const create = useAction('createCampaign', { done: 'The campaign is created', refreshes: ['listCampaigns'] });
  const [perGrant, setPerGrant] = useState<readonly GrantPrice[]>();
  const form = useForm({
    initialValues: {
      ...{ operator: own ?? '', campaignID: '', gameIDs: [] as string[], mode: 'BASE', rounds: 10 as number | string },
      ...{ bets: [{ currency: '', amount: '' }], startsAt: '', endsAt: '', playWithinHours: '' as number | string },
      ...{ automatic: false, paidAtEnd: false },
    },
    validate: {
      bets: (bets) =>
        bets.every(({ currency, amount }) => readBet(currency, amount)) ? null : 'Choose a currency and an amount',
    },
    // A change of the form drops the price, so the price always belongs to the terms shown.
    onValuesChange: () => setPerGrant(undefined),
  });

  const [operators, games] = [useOperators(), useGames()];
  const terms = commonTerms(useGameDetails(form.values.gameIDs), useCurrenciesOf(form.values.operator));

  const requestOf = ({ operator, campaignID, ...values }: typeof form.values) => ({
    params: { operator },
    campaignID,
    terms: {
      ...{ gameIDs: values.gameIDs, mode: values.mode, rounds: Number(values.rounds) },
      bets: Object.fromEntries(values.bets.map(({ currency, amount }) => [currency, readBet(currency, amount) ?? 0])),
      ...(values.startsAt !== '' && { startsAt: utcInstant(values.startsAt) ?? values.startsAt }),
      endsAt: utcInstant(values.endsAt) ?? values.endsAt,
      ...(values.playWithinHours !== '' && { playWithinHours: Number(values.playWithinHours) }),
      ...{ automatic: values.automatic, paidAtEnd: values.paidAtEnd },
    },
  });

  const { failure, pending, run } = useSubmit(Object.keys(form.values), (issues) => {
    setPerGrant(undefined);
    form.setErrors(issues);
  });
  const submit = form.onSubmit((values) => {
    const { params, campaignID, terms } = requestOf(values);
    return run('send', async () => {
      if (perGrant === undefined) {
        const outcome = await price.mutateAsync({ params, body: terms });
        if (outcome.kind === 'done') setPerGrant(outcome.body.perGrant);
        return;
      }
      await create.mutateAsync({ params, body: { ...terms, campaignID } });
      navigate({ to: campaignPath({ ...params, campaignID }) } as never);
    });
  });

  return (
    <Modal opened onClose={onClose} title="New campaign" size="lg" centered>
      <SubmitForm onSubmit={submit} failure={failure}>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {own === null && <Picker label="Operator" data={operators} required {...form.getInputProps('operator')} />}
          <TextInput
            label="Campaign ID"
            description="As the operator names it"
            required
            maxLength={64}
            data-autofocus
            {...form.getInputProps('campaignID')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <MultiSelect
            label="Games"
            data={[...games]}
            searchable
            hidePickedOptions
            required
            {...form.getInputProps('gameIDs')}
          />
          <Picker label="Mode" data={terms.modes} required {...form.getInputProps('mode')} />
          <NumberInput
            label="Rounds per player"
            required
            min={1}
            allowDecimal={false}
            {...form.getInputProps('rounds')}
          />
        </SimpleGrid>
        <BetFields form={form} terms={terms} />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <DateInput
            label="Starts"
            description="Empty: immediately"
            kind="datetime-local"
            {...form.getInputProps('startsAt')}
          />
          <DateInput
            label="Ends"
            description="No round opens after this time"
            kind="datetime-local"
            required
            {...form.getInputProps('endsAt')}
          />
          <NumberInput
            label="Valid for (hours)"
            description="From when a player gets it"
            min={1}
            max={8760}
            allowDecimal={false}
            {...form.getInputProps('playWithinHours')}
          />
        </SimpleGrid>
        <Checkbox
          label="Use automatically: a play of this mode and bet uses a free round"
          {...form.getInputProps('automatic', { type: 'checkbox' })}
        />
        <Checkbox
          label="Pay a player's wins in one sum at the end"
          {...form.getInputProps('paidAtEnd', { type: 'checkbox' })}
        />
        {perGrant && <Consequence perGrant={perGrant} />}
        <FormButtons
          label={perGrant ? 'Create the campaign' : 'Check the terms'}
          onCancel={onClose}
          isPending={pending !== undefined}
        />
      </SubmitForm>
    </Modal>
  );
}

function Consequence({ perGrant }: { perGrant: readonly GrantPrice[] }) {
  return (
    <Stack gap={2} role="status">
      <Text size="sm" fw={600}>
        Per player, for the operator:
      </Text>
      {perGrant.map((price) => (
        <Text key={price.currency} size="sm">
          {price.currency}: {priceText(price)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        Creating it gives nothing yet: you add players on the campaign's page. The terms cannot be changed later.
      </Text>
    </Stack>
  );
}

/** Returns micros; undefined if the currency or the amount is invalid. */
function readBet(currency: string, amount: string): number | undefined {
  return /^[A-Z0-9]{2,12}$/.test(currency) ? readAmount(amount, currency) : undefined;
}
