import type { PlayerAccount } from '@roundhouse/contract/admin';
import { useMemo } from 'react';
import { Amount } from '../../components/Amount.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import type { PlayerKey } from '../../components/links.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
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

type Money = (account: PlayerAccount) => number | null;

function columnsOf(player: PlayerKey, maySet: boolean): readonly Column<PlayerAccount>[] {
  const money = (id: string, header: string, micros: Money, hideBelow?: 'sm' | 'md' | 'lg'): Column<PlayerAccount> => ({
    ...{ id, header, align: 'right' },
    cell: (account) => <Amount micros={micros(account)} currency={account.currency} />,
    ...(hideBelow && { hideBelow }),
  });
  return [
    { id: 'currency', header: 'Currency', cell: ({ currency }) => currency },
    money('balance', 'Balance', ({ balance }) => balance),
    money('wagered', 'Wagered today', ({ wageredToday }) => wageredToday, 'sm'),
    money('won', 'Won today', ({ wonToday }) => wonToday, 'sm'),
    money('wagerLimit', 'Daily wager limit', ({ dailyWager }) => dailyWager),
    money('lossLimit', 'Daily loss limit', ({ dailyLoss }) => dailyLoss, 'sm'),
    money('operatorWager', 'Operator wager limit', ({ operator }) => operator.dailyWager, 'lg'),
    money('operatorLoss', 'Operator loss limit', ({ operator }) => operator.dailyLoss, 'lg'),
    { id: 'active', header: 'Last active', cell: ({ activeAt }) => <Time at={activeAt} />, hideBelow: 'lg' },
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
