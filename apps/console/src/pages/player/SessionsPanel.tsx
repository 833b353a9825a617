import type { PlayerSession } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { amountColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import type { PlayerKey } from '../../components/links.tsx';
import { SESSION_WORDS, StateBadge } from '../../components/StateBadge.tsx';
import { usePaging } from '../../lib/usePaging.ts';

const COLUMNS: readonly Column<PlayerSession>[] = [
  textColumn('session', 'Session', ({ sessionNumber }) => sessionNumber),
  textColumn('state', 'State', ({ state }) => <SessionState state={state} />),
  textColumn('game', 'Game', ({ gameID, gameVersion }) => `${gameID} ${gameVersion}`, 'md'),
  textColumn('currency', 'Currency', ({ currency }) => currency, 'sm'),
  textColumn('country', 'Country', ({ country }) => country, 'md'),
  timeColumn('created', 'Launched', ({ createdAt }) => createdAt),
  timeColumn('active', 'Last active', ({ lastActiveAt }) => lastActiveAt, 'md'),
  timeColumn('expires', 'Expires', ({ expiresAt }) => expiresAt, 'lg'),
  amountColumn('stake', 'Max bet', ({ maxStake }) => maxStake, 'xl'),
];

const TONES = { issued: 'busy', authenticated: 'good', revoked: 'bad', expired: 'quiet' } as const;

function SessionState({ state }: Pick<PlayerSession, 'state'>) {
  return <StateBadge state={state} tone={TONES[state]} label={SESSION_WORDS[state] ?? state} />;
}

/** Lists the sessions of a player, newest first. */
export function SessionsPanel({ player }: { player: PlayerKey }) {
  const paging = usePaging();
  const sessions = useQuery({
    ...apiQuery('listPlayerSessions', { params: player, query: paging.query }),
    placeholderData: keepPreviousData,
  });
  return (
    <DataTable
      label="Sessions of the player"
      columns={COLUMNS}
      query={sessions}
      rowKey={({ sessionNumber }) => String(sessionNumber)}
      paging={paging}
      footer={<DownloadButton table="playerSessions" query={player} />}
      empty="No sessions"
      emptyHint="The server deletes sessions some time after they expire."
    />
  );
}
