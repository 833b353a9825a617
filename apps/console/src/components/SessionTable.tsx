import type { ConsoleUserSession } from '@roundhouse/contract/admin';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { type Column, DataTable } from './DataTable.tsx';
import { StateBadge } from './StateBadge.tsx';
import { Time } from './Time.tsx';

type Props = {
  sessions: readonly ConsoleUserSession[];
  /** Rendered at the end of each row. */
  action?: (session: ConsoleUserSession) => ReactNode;
};

/** Lists sessions of a user of the console. */
export function SessionTable({ sessions, action }: Props) {
  const columns = useMemo(
    (): Column<ConsoleUserSession>[] => [
      { id: 'since', header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { id: 'address', header: 'Address', cell: ({ address }) => address ?? '–', hideBelow: 'sm' },
      {
        id: 'agent',
        header: 'Browser',
        cell: ({ userAgent }) => <span title={userAgent ?? ''}>{browserOf(userAgent)}</span>,
        isCut: true,
        hideBelow: 'sm',
      },
      { id: 'ends', header: 'Expires if idle', cell: ({ expiresAt }) => <Time at={expiresAt} />, hideBelow: 'md' },
      {
        id: 'action',
        header: 'Session',
        cell: (session) => (
          <>
            {session.isCurrent && <StateBadge state="current" label="this session" tone="good" />} {action?.(session)}
          </>
        ),
        align: 'right',
        isPinned: true,
      },
    ],
    [action],
  );
  return (
    <DataTable
      label="Sessions"
      columns={columns}
      rows={sessions}
      rowKey={({ sessionID }) => sessionID}
      empty="No sessions"
    />
  );
}

const BROWSERS = [
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

/** Shortens the name that a browser gives itself. The tooltip has the whole name. */
function browserOf(userAgent: string | null): string {
  if (userAgent === null) return '–';
  return BROWSERS.find(([mark]) => mark.test(userAgent))?.[1] ?? userAgent;
}
