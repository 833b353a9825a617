import { Radio, Stack } from '@mantine/core';
import type { MaintenanceOnWire } from '@roundhouse/contract/admin';
import { useState } from 'react';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { type MaintenanceTarget as Target, whatOf } from './maintenanceTarget.ts';

type Level = MaintenanceOnWire['level'];

const REFRESHES = ['listMaintenance', 'listGames', 'getGame', 'getOperator', 'listOperators'] as const;

type Props = {
  target: Target;
  /** The number of open rounds there; undefined if unknown. */
  openRounds?: number;
};

/** Stops new rounds, or everything, for the target. */
export function SetMaintenance({ target, openRounds }: Props) {
  const what = whatOf(target);
  const [level, setLevel] = useState<Level>('no_new_rounds');
  const set = useAction('setMaintenance', { refreshes: REFRESHES, done: `Maintenance of ${what} has started` });
  const open = openRounds === undefined ? 'Open rounds' : `Open rounds (${openRounds})`;
  return (
    <ConfirmAction
      label={`Start maintenance of ${BUTTON[target.scope]}`}
      title={`Start maintenance of ${what}?`}
      consequence={
        <>
          {WHO[target.scope]} cannot open a round from now on (ERR_MAINTENANCE). {open} stay open.{' '}
          {level === 'no_new_rounds'
            ? 'Players can finish them.'
            : 'Nobody can finish them until maintenance ends. Payments due are still sent to wallets.'}
        </>
      }
      confirmLabel="Start maintenance"
      isDangerous
      reason="required"
      onConfirm={(reason) => set.mutateAsync({ body: { ...keyOf(target), level, reason } })}
    >
      <Radio.Group label="Level" value={level} onChange={(next) => setLevel(next as Level)}>
        <Stack gap={4} mt={4}>
          <Radio value="no_new_rounds" label="No new rounds" />
          {!target.mode && (
            <Radio value="nothing_at_all" label="Nothing at all: open rounds cannot be finished either" />
          )}
        </Stack>
      </Radio.Group>
    </ConfirmAction>
  );
}

/** Ends the maintenance that is on. */
export function EndMaintenance({ target }: { target: Target }) {
  const what = whatOf(target);
  const set = useAction('setMaintenance', { refreshes: REFRESHES, done: `Maintenance of ${what} has ended` });
  return (
    <ConfirmAction
      label="End maintenance"
      title={`End maintenance of ${what}?`}
      consequence={`${WHO[target.scope]} can play again immediately.`}
      reason="optional"
      onConfirm={(reason) =>
        set.mutateAsync({ body: { ...keyOf(target), level: null, ...(reason !== '' && { reason }) } })
      }
      button={{ size: 'compact-xs' }}
    />
  );
}

const BUTTON: Readonly<Record<Target['scope'], string>> = {
  server: 'the whole server',
  operator: 'this operator',
  game: 'this game',
};

const WHO: Readonly<Record<Target['scope'], string>> = {
  server: 'All players, in every game of every operator,',
  operator: 'All players of this operator, in every game,',
  game: 'Players of this game, at every operator,',
};

function keyOf({ scope, target, version, mode }: Target) {
  return { scope, ...(target && { target }), ...(version && { version }), ...(mode && { mode }) };
}
