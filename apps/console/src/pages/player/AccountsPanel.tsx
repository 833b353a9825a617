import type { PlayerAccount } from '@roundhouse/contract/admin';
import { useMemo } from 'react';
import { amountColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import type { PlayerKey } from '../../components/links.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useMay } from '../../lib/useAccount.ts';
import { LimitsForm } from './LimitsForm.tsx';

type Props = { accounts: readonly PlayerAccount[]; player: PlayerKey };

/** Shows the money of a player in each currency, and the daily limits. */
export function AccountsPanel({ accounts, player }: Props) {
  const maySet = useMay()('setPlayerLimits');
  const columns = useMemo(() => columnsOf(player, maySet), [player, maySet]);
  return (
    <Panel title="Accounts">
      <DataTable
        label="Accounts of the player"
        columns={columns}
        rows={accounts}
        rowKey={({ currency }) => currency}
        empty="The player has no accounts"
      />
    </Panel>
  );
}

function columnsOf(player: PlayerKey, maySet: boolean): readonly Column<PlayerAccount>[] {
  return [
    textColumn('currency', 'Currency', ({ currency }) => currency),
    amountColumn('balance', 'Balance', ({ balance }) => balance),
    amountColumn('wagered', 'Wagered today', ({ wageredToday }) => wageredToday, 'sm'),
    amountColumn('won', 'Won today', ({ wonToday }) => wonToday, 'sm'),
    amountColumn('wagerLimit', 'Daily wager limit', ({ dailyWager }) => dailyWager),
    amountColumn('lossLimit', 'Daily loss limit', ({ dailyLoss }) => dailyLoss, 'sm'),
    amountColumn('operatorWager', 'Operator wager limit', ({ operator }) => operator.dailyWager, 'lg'),
    amountColumn('operatorLoss', 'Operator loss limit', ({ operator }) => operator.dailyLoss, 'lg'),
    timeColumn('active', 'Last active', ({ activeAt }) => activeAt, 'lg'),
    ...(maySet
      ? [
          {
            id: 'set',
            header: 'Limits',
            cell: (account: PlayerAccount) => <LimitsForm account={account} player={player} />,
            align: 'right' as const,
            isPinned: true,
          },
        ]
      : []),
  ];
}
