import { Button, Stack } from '@mantine/core';
import type { AdminOperatorDetail } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery, useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { WaitingRequests } from '../../components/WaitingRequests.tsx';
import { useMay } from '../../lib/useAccount.ts';
import { MaintenanceState } from '../games/MaintenanceState.tsx';
import { EndMaintenance, SetMaintenance } from '../games/SetMaintenance.tsx';
import { JurisdictionPanel } from './JurisdictionPanel.tsx';
import { LimitsPanel } from './LimitsPanel.tsx';
import { NewSecret } from './NewSecret.tsx';
import { OperatorForm } from './OperatorForm.tsx';
import { SecretsPanel } from './SecretsPanel.tsx';
import { WalletCheckPanel } from './WalletCheckPanel.tsx';

/** Shows one operator, and what an administrator may do with it. */
export function OperatorPage() {
  const { code } = useParams({ strict: false }) as { code: string };
  const operator = useQuery(apiQuery('getOperator', { params: { operator: code } }));
  return <Loaded query={operator}>{(data) => <Operator key={data.code} operator={data} />}</Loaded>;
}

function Operator({ operator }: { operator: AdminOperatorDetail }) {
  const { code, name, isDisabled, maintenance, walletUrl } = operator;
  const may = useMay();
  const target = { scope: 'operator', target: code } as const;
  return (
    <>
      <PageHead
        title={`${code}: ${name}`}
        trail={[{ label: 'Operators', to: '/operators' }]}
        badge={
          <>
            {isDisabled && <StateBadge state="disabled" />}
            {maintenance && <MaintenanceState maintenance={maintenance} />}
          </>
        }
        actions={
          <>
            {may('setMaintenance') &&
              !isDisabled &&
              (maintenance === null ? <SetMaintenance target={target} /> : <EndMaintenance target={target} />)}
            {may('disableOperator') && <DisableOperator operator={operator} />}
          </>
        }
      />
      <WaitingRequests subject={`operator ${code}`} />
      <Stack gap="md">
        <SettingsPanel operator={operator} />
        <JurisdictionPanel operator={operator} />
        <LimitsPanel operator={operator} />
        <SecretsPanel operator={operator} />
        {walletUrl !== null && may('checkWallet') && <WalletCheckPanel operator={operator} />}
      </Stack>
    </>
  );
}

function DisableOperator({ operator: { code, isDisabled } }: { operator: AdminOperatorDetail }) {
  const disable = useAction('disableOperator', {
    refreshes: ['getOperator', 'listOperators', 'listMaintenance'],
    done: ({ isDisabled: isNow }) => `Operator ${code} is ${isNow ? 'disabled' : 'enabled'}`,
  });
  return (
    <ConfirmAction
      label={isDisabled ? 'Enable' : 'Disable'}
      title={isDisabled ? `Enable operator ${code}?` : `Disable operator ${code}?`}
      consequence={
        isDisabled
          ? 'Its players can play again immediately, and maintenance of the operator ends.'
          : 'All its players are stopped immediately, and its launches are refused. Open rounds stay open. Payments due are still sent to its wallet.'
      }
      isDangerous={!isDisabled}
      reason={isDisabled ? 'optional' : 'required'}
      onConfirm={(reason) =>
        disable.mutateAsync({ params: { operator: code }, body: { disabled: !isDisabled, ...(reason && { reason }) } })
      }
    />
  );
}

function SettingsPanel({ operator }: { operator: AdminOperatorDetail }) {
  const may = useMay()('changeOperator');
  const [isOpen, setOpen] = useState(false);
  const [newSecret, setNewSecret] = useState<string>();
  const list = (texts: readonly string[], empty: string) => texts.join(', ') || empty;
  const hours = operator.completeRoundsAfterHours;
  const isSeamless = operator.walletUrl !== null;
  return (
    <Panel
      title="Settings"
      actions={
        may && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            Change settings
          </Button>
        )
      }
    >
      <KeyValue
        items={{
          Wallet: operator.walletUrl ?? 'house wallet',
          Dialect: isSeamless ? operator.dialect : undefined,
          'Dialect settings': isSeamless ? (operator.hasDialectSettings ? 'set' : 'none') : undefined,
          'Wallet time-out': isSeamless ? `${operator.walletTimeoutMs} ms` : undefined,
          Currencies: list(operator.currencies, 'all'),
          'Extra languages': list(operator.languages, 'none'),
          'Session time-out': `${operator.sessionTimeoutMinutes} min`,
          'Session lifetime': `${operator.sessionLifetimeMinutes} min`,
          'Abandoned rounds': hours === null ? 'wait for the player' : `completed after ${hours} h`,
          'Free rounds':
            !isSeamless || operator.freeRounds
              ? `up to ${operator.maxFreeRounds} per grant`
              : 'not supported by the wallet',
          'Lost rounds': isSeamless && operator.closingDebits ? 'closed by their debit' : undefined,
          'Allowed countries': list(operator.allowedCountries, 'all'),
          'Blocked countries': list(operator.blockedCountries, 'none'),
          Draws: drawsText(operator.draws),
          Sessions: operator.launchedOnly ? 'from a launch only' : 'all verified',
          'Default game': operator.defaultGame ?? 'none',
          'Default operator': operator.isDefault ? 'yes' : 'no',
        }}
      />
      {isOpen && (
        <OperatorForm
          operator={operator}
          onClose={() => setOpen(false)}
          onSaved={(saved) => {
            setOpen(false);
            setNewSecret(saved.newSecret ?? undefined);
          }}
        />
      )}
      {newSecret !== undefined && (
        <NewSecret code={operator.code} secret={newSecret} onClose={() => setNewSecret(undefined)} />
      )}
    </Panel>
  );
}

function drawsText(draws: AdminOperatorDetail['draws']): string {
  if (draws === null) return 'as set by the game';
  return draws === 'provablyFair' ? 'provably fair' : 'certified generator';
}
