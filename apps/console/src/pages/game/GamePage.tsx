import { Stack } from '@mantine/core';
import type { AdminGameDetail } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { roundPath } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useAccount, useMay } from '../../lib/useAccount.ts';
import { MaintenanceState } from '../games/MaintenanceState.tsx';
import { EndMaintenance, SetMaintenance } from '../games/SetMaintenance.tsx';
import { ACTIVITY_COLUMNS, BET_COLUMNS, MODE_COLUMNS, WIN_COLUMNS } from './gameColumns.tsx';
import { ReturnsPanel } from './ReturnsPanel.tsx';
import { VersionsTable } from './VersionsTable.tsx';

/** Shows one game: its versions and modes, what it returned, its largest wins. */
export function GamePage() {
  const { gameID } = useParams({ strict: false }) as { gameID: string };
  const game = useQuery(apiQuery('getGame', { params: { gameID } }));
  return <Loaded query={game}>{(data) => <Game game={data} />}</Loaded>;
}

function Game({ game }: { game: AdminGameDetail }) {
  const { gameID, title, versions, activity, largestWins, maintenance } = game;
  const [newest] = versions;
  const { operator } = useAccount();
  const maySet = useMay()('setMaintenance') && operator === null;
  const whole = maintenance.find(({ version, mode }) => version === '' && mode === '');
  const openRounds = versions.reduce((sum, each) => sum + each.openRounds, 0);
  const target = { scope: 'game', target: gameID } as const;
  return (
    <>
      <PageHead
        title={title}
        trail={[{ label: 'Games', to: '/games' }]}
        badge={maintenance.map((each) => <MaintenanceState key={`${each.version} ${each.mode}`} maintenance={each} />)}
        actions={
          maySet && (whole ? <EndMaintenance target={target} /> : <SetMaintenance {...{ target, openRounds }} />)
        }
      />
      <Stack gap="md">
        <Panel title="Versions">
          <VersionsTable game={game} />
        </Panel>
        <ReturnsPanel game={game} />
        <Panel title="Last 30 days">
          <DataTable
            label="Activity of the last 30 days"
            columns={ACTIVITY_COLUMNS}
            rows={activity}
            rowKey={({ version, mode, currency }) => [version, mode, currency].join(' ')}
            empty="No rounds"
          />
        </Panel>
        {newest && (
          <Panel title={`Modes, version ${newest.version}`}>
            <DataTable label="Modes" columns={MODE_COLUMNS} rows={newest.modes} rowKey={({ mode }) => mode} />
          </Panel>
        )}
        <Panel title="Largest wins">
          <DataTable
            label="Largest payouts"
            columns={WIN_COLUMNS}
            rows={largestWins}
            rowKey={({ betID }) => String(betID)}
            rowPath={roundPath}
            empty="No large wins"
            emptyHint="Each operator sets its threshold for large wins."
          />
        </Panel>
        {newest && (
          <Panel title={`Bet limits, version ${newest.version}`}>
            <DataTable
              label="Bet limits"
              columns={BET_COLUMNS}
              rows={newest.bets}
              rowKey={({ currency }) => currency}
            />
          </Panel>
        )}
      </Stack>
    </>
  );
}
