import type { AdminGameDetail, AdminGameVersion } from '@roundhouse/contract/admin';
import { useMemo } from 'react';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { countColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { countText } from '../../lib/rtp.ts';
import { useMay } from '../../lib/useAccount.ts';

/** Lists the versions of a game. A game manager withdraws and reinstates them. */
export function VersionsTable({ game: { gameID, versions } }: { game: AdminGameDetail }) {
  const may = useMay()('withdrawGame');
  const columns = useMemo(
    (): readonly Column<AdminGameVersion>[] => [
      textColumn('version', 'Version', ({ version }) => <span style={{ whiteSpace: 'normal' }}>{version}</span>),
      textColumn('state', 'State', ({ state }) => (
        <StateBadge state={state} tone={state === 'available' ? 'good' : 'bad'} />
      )),
      timeColumn('since', 'Available from', ({ publishedAt }) => publishedAt, 'md'),
      timeColumn('until', 'Withdrawn from', ({ withdrawnAt }) => withdrawnAt, 'md'),
      countColumn('open', 'Open rounds', ({ openRounds }) => openRounds),
      {
        ...textColumn('sha', 'Math SHA-256', (row) => <span title={row.mathSha256}>{row.mathSha256}</span>, 'lg'),
        isCut: true,
      },
      ...(may
        ? [
            {
              ...{ id: 'action', header: 'Action', isPinned: true },
              cell: (each: AdminGameVersion) => <Actions {...{ gameID, each }} />,
            },
          ]
        : []),
    ],
    [may, gameID],
  );
  return <DataTable label="Published versions" columns={columns} rows={versions} rowKey={({ version }) => version} />;
}

const REFRESHES = ['getGame', 'listGames'] as const;

function Actions({ gameID, each: { version, withdrawnAt, openRounds } }: { gameID: string; each: AdminGameVersion }) {
  const name = `version ${version} of ${gameID}`;
  const withdraw = useAction('withdrawGame', { refreshes: REFRESHES, done: `${name} is withdrawn` });
  const reinstate = useAction('reinstateGame', { refreshes: REFRESHES, done: `${name} is available` });
  const request = { params: { gameID, version }, body: {} };
  if (withdrawnAt !== null) {
    return (
      <ConfirmAction
        label="Reinstate"
        title={`Reinstate ${name}?`}
        consequence="Players can open rounds in it again immediately, on every node."
        onConfirm={() => reinstate.mutateAsync(request)}
        button={{ size: 'compact-xs' }}
      />
    );
  }
  return (
    <ConfirmAction
      label="Withdraw"
      title={`Withdraw ${name}?`}
      consequence={
        <>
          It takes no new rounds at any operator: players get ERR_MAINTENANCE immediately. Open rounds (
          <b>{countText(openRounds)}</b>) stay open, and players can finish them. Launches use the newest other version;
          without one, the game cannot be launched.
        </>
      }
      isDangerous
      reason="required"
      onConfirm={(reason) => withdraw.mutateAsync({ ...request, body: { reason } })}
      button={{ size: 'compact-xs' }}
    />
  );
}
