import type { PlayerSession } from '@roundhouse/contract/admin';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import type { PlayerKey } from '../../components/links.tsx';
import { SESSION_WORDS, StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { usePaging } from '../../lib/usePaging.ts';

const COLUMNS: readonly Column<PlayerSession>[] = [
  { id: 'session', header: 'Session', cell: ({ sessionNumber }) => sessionNumber },
  { id: 'state', header: 'State', cell: ({ state }) => <SessionState state={state} /> },
  { id: 'game', header: 'Game', cell: ({ gameID, gameVersion }) => `${gameID} ${gameVersion}`, hideBelow: 'md' },
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency, hideBelow: 'sm' },
  { id: 'country', header: 'Country', cell: ({ country }) => country ?? '–', hideBelow: 'md' },
  { id: 'created', header: 'Launched', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'active', header: 'Last active', cell: ({ lastActiveAt }) => <Time at={lastActiveAt} />, hideBelow: 'md' },
  { id: 'expires', header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} />, hideBelow: 'lg' },
  {
    id: 'stake',
    header: 'Max bet',
    cell: ({ maxStake, currency }) => <Amount micros={maxStake} currency={currency} />,
    align: 'right',
    hideBelow: 'xl',
  },
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
