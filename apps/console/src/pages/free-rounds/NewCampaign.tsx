import { Checkbox, Group, Modal, NumberInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { GrantPrice } from '@roundhouse/contract/admin';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../api.ts';
import { DateInput } from '../../components/DateInput.tsx';
import { ErrorText } from '../../components/ErrorState.tsx';
import { FormButtons } from '../../components/FormButtons.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { RefusedError } from '../../lib/errors.ts';
import { readAmount } from '../../lib/money.ts';
import { utcInstant } from '../../lib/time.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useSubmit } from '../../lib/useSubmit.ts';
import { BetFields } from './BetFields.tsx';
import { campaignPath, fieldOf, priceText } from './campaignTexts.ts';

/** Creates a campaign. The server checks and prices its terms before you confirm them. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const { operator: own } = useAccount();
  const navigate = useNavigate();
  const price = useAction('priceTerms');
  const create = useAction('createCampaign', { done: 'The campaign is created', refreshes: ['listCampaigns'] });
  const { error, pending, run } = useSubmit();
  const [perGrant, setPerGrant] = useState<readonly GrantPrice[]>();
  const form = useForm({
    initialValues: {
      ...{ operator: own ?? '', campaignID: '', gameIDs: [] as string[], mode: 'BASE', rounds: 10 as number | string },
      ...{ bets: [{ currency: '', amount: '' }], startsAt: '', endsAt: '', playWithinHours: '' as number | string },
      ...{ automatic: false, paidAtEnd: false },
    },
    validate: {
      bets: (bets) => (bets.every(({ currency, amount }) => readBet(currency, amount)) ? null : 'Currency and amount'),
    },
    // A change of the form drops the price, so the price always belongs to the terms shown.
    onValuesChange: () => setPerGrant(undefined),
  });

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

  /** Shows a refusal at its field. */
  const atField = async (send: () => Promise<void>) => {
    try {
      await send();
    } catch (thrown) {
      const named = thrown instanceof RefusedError ? fieldOf(thrown.message) : undefined;
      if (named === undefined || !(named.field in form.values)) throw thrown;
      setPerGrant(undefined);
      form.setFieldError(named.field, named.text);
    }
  };
  const submit = form.onSubmit((values) => {
    const { params, campaignID, terms } = requestOf(values);
    return run('send', () =>
      atField(async () => {
        if (perGrant === undefined) {
          const outcome = await price.mutateAsync({ params, body: terms });
          if (outcome.kind === 'done') setPerGrant(outcome.body.perGrant);
          return;
        }
        await create.mutateAsync({ params, body: { ...terms, campaignID } });
        navigate({ to: campaignPath({ ...params, campaignID }) } as never);
      }),
    );
  });

  return (
    <Modal opened onClose={onClose} title="New campaign" size="lg" centered>
      <SubmitForm onSubmit={submit}>
        <Group grow align="flex-start">
          {own === null && (
            <TextInput label="Operator" description="Its code" required {...form.getInputProps('operator')} />
          )}
          <TextInput
            label="Campaign"
            description="The operator's id for it"
            required
            maxLength={64}
            data-autofocus
            {...form.getInputProps('campaignID')}
          />
        </Group>
        <Group grow align="flex-start">
          <TagsInput
            label="Games"
            description="Press Enter to add one"
            required
            acceptValueOnBlur
            {...form.getInputProps('gameIDs')}
          />
          <TextInput label="Mode" description="The bet mode of its rounds" required {...form.getInputProps('mode')} />
          <NumberInput
            label="Rounds"
            description="Free rounds per player"
            required
            min={1}
            allowDecimal={false}
            {...form.getInputProps('rounds')}
          />
        </Group>
        <BetFields form={form} />
        <Group grow align="flex-start">
          <DateInput
            label="Starts (UTC)"
            description="Empty: immediately"
            kind="datetime-local"
            {...form.getInputProps('startsAt')}
          />
          <DateInput
            label="Ends (UTC)"
            description="No rounds begin after this time"
            kind="datetime-local"
            required
            {...form.getInputProps('endsAt')}
          />
          <NumberInput
            label="Hours to play"
            description="From the time a player gets it"
            min={1}
            max={8760}
            allowDecimal={false}
            {...form.getInputProps('playWithinHours')}
          />
        </Group>
        <Checkbox
          label="A play without a grant id uses a free round if mode and bet fit"
          {...form.getInputProps('automatic', { type: 'checkbox' })}
        />
        <Checkbox
          label="Pay all of a player's wins together at the end"
          {...form.getInputProps('paidAtEnd', { type: 'checkbox' })}
        />
        {perGrant && <Consequence perGrant={perGrant} />}
        <ErrorText error={error} />
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
        Each player costs the operator:
      </Text>
      {perGrant.map((price) => (
        <Text key={price.currency} size="sm">
          {price.currency}: {priceText(price)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        Nobody gets anything yet: you add players on the page of the campaign. Its terms cannot change later.
      </Text>
    </Stack>
  );
}

/** Returns micros; undefined if the currency or the amount is invalid. */
function readBet(currency: string, amount: string): number | undefined {
  return /^[A-Z0-9]{2,12}$/.test(currency) ? readAmount(amount, currency) : undefined;
}
