import { Badge, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api.ts';
import { useAccount } from '../lib/useAccount.ts';

const POLL_MS = 30_000;
const MOST = 99;

/** Counts the requests that wait for a second user; nothing when there are none. */
export function WaitingCount() {
  const { twoPerson } = useAccount();
  const query = apiQuery('listApprovals', { query: { state: 'waiting', limit: MOST } }, { pollMs: POLL_MS });
  const { data } = useQuery({ ...query, enabled: twoPerson });
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <Badge size="sm" color="yellow" variant="light">
      {data?.cursor ? `${MOST}+` : count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </Badge>
  );
}
