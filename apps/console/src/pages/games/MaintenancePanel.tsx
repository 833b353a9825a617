import { Text } from '@mantine/core';
import type { MaintenanceOnWire } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../api.ts';
import { textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { actorText } from '../../components/ErrorState.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { useAccount, useMay } from '../../lib/useAccount.ts';
import { whatOf } from './maintenanceTarget.ts';
import { EndMaintenance, SetMaintenance } from './SetMaintenance.tsx';

/** Shows the maintenance that is on, with buttons to end it. */
export function MaintenancePanel() {
  const { operator } = useAccount();
  const may = useMay()('setMaintenance');
  const switches = useQuery(apiQuery('listMaintenance', {}));
  const columns = useMemo(() => columnsOf(may, operator), [may, operator]);
  const whole = operator === null ? ({ scope: 'server' } as const) : ({ scope: 'operator', target: operator } as const);
  return (
    <Panel title="Maintenance" actions={may && <SetMaintenance target={whole} />}>
      <Text size="sm" c="dimmed" mb="sm">
        {operator === null
          ? 'The button here stops every game of every operator. To stop one game or one operator, open its page.'
          : 'The button here stops every game of your operator.'}
      </Text>
      <DataTable<MaintenanceOnWire>
        label="Active maintenance"
        columns={columns}
        rows={switches.data?.items ?? []}
        rowKey={({ scope, target, version, mode }) => [scope, target, version, mode].join(' ')}
        empty={switches.isPending ? 'Loading' : 'No active maintenance'}
      />
    </Panel>
  );
}

function columnsOf(may: boolean, operator: string | null): readonly Column<MaintenanceOnWire>[] {
  return [
    { id: 'what', header: 'What', cell: whatOf, isCut: true },
    { id: 'level', header: 'Level', cell: ({ level }) => <StateBadge state={level} tone="warn" /> },
    { ...timeColumn('since', 'Since', ({ since }) => since, 'md'), under: 'what' },
    { ...textColumn('actor', 'By', ({ actor }) => actor && actorText(actor), 'md'), isCut: true, under: 'what' },
    { ...textColumn('reason', 'Reason', ({ reason }) => reason && <Wrapped text={reason} />, 'md'), under: 'what' },
    {
      ...{ id: 'end', header: 'Action', isPinned: true },
      cell: (each) => may && (operator === null || each.target === operator) && <EndMaintenance target={each} />,
    },
  ];
}

/** The other columns of a table are on one line. */
function Wrapped({ text }: { text: string }) {
  return <span style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>{text}</span>;
}
