import { TextInput } from '@mantine/core';
import type { PlayerAccount } from '@roundhouse/contract/admin';
import { useEffect, useState } from 'react';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { UNCHANGED } from '../../components/FormButtons.tsx';
import type { PlayerKey } from '../../components/links.tsx';
import { amountText, plainAmount, readAmount } from '../../lib/money.ts';

type Props = { account: PlayerAccount; player: PlayerKey };

/** Sets the daily limits of a player in one currency. An empty field means no limit. */
export function LimitsForm({ account, player }: Props) {
  const { currency, dailyWager, dailyLoss } = account;
  const set = useAction('setPlayerLimits', {
    done: `The limits of ${player.playerID} in ${currency} are set`,
    refreshes: ['getPlayer'],
  });
  const [wager, setWager] = useState('');
  const [loss, setLoss] = useState('');
  useEffect(() => setWager(plainAmount(dailyWager, currency)), [dailyWager, currency]);
  useEffect(() => setLoss(plainAmount(dailyLoss, currency)), [dailyLoss, currency]);
  const [wanted, wantedLoss] = [limitOf(wager, currency), limitOf(loss, currency)];
  const isChanged = wanted !== dailyWager || wantedLoss !== dailyLoss;
  const words = (limit: number | null | undefined) =>
    limit === null || limit === undefined ? 'any amount' : amountText(limit, currency);
  return (
    <ConfirmAction
      label="Set limits"
      button={{ size: 'compact-xs' }}
      title={`Set the limits of ${player.playerID} in ${currency}?`}
      consequence={
        <>
          From now on the player may wager {words(wanted)} and lose {words(wantedLoss)} per day. The operator's limits
          also apply.
        </>
      }
      incomplete={
        wanted === undefined || wantedLoss === undefined ? 'An amount is wrong.' : isChanged ? undefined : UNCHANGED
      }
      onConfirm={() =>
        set.mutateAsync({
          params: player,
          body: { currency, dailyWager: wanted ?? null, dailyLoss: wantedLoss ?? null },
        })
      }
      fields={['dailyWager', 'dailyLoss']}
    >
      {(issues) => (
        <>
          <LimitField
            label={`Daily wager limit, ${currency}`}
            {...{ value: wager, onChange: setWager, limit: wanted, issue: issues.dailyWager }}
          />
          <LimitField
            label={`Daily loss limit, ${currency}`}
            {...{ value: loss, onChange: setLoss, limit: wantedLoss, issue: issues.dailyLoss }}
          />
        </>
      )}
    </ConfirmAction>
  );
}

type FieldProps = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** The value of the text; undefined if it is not an amount. */
  limit: number | null | undefined;
  issue: string | undefined;
};

function LimitField({ label, value, onChange, limit, issue }: FieldProps) {
  return (
    <TextInput
      label={label}
      description="Empty: no limit."
      value={value}
      inputMode="decimal"
      onChange={(event) => onChange(event.currentTarget.value)}
      error={limit === undefined ? 'Enter an amount of zero or more, such as 12.50.' : issue}
    />
  );
}

/** null: no limit. undefined: the text is not a valid limit. */
function limitOf(text: string, currency: string): number | null | undefined {
  if (text.trim() === '') return null;
  return readAmount(text, currency);
}
