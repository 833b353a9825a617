import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Approval } from '@roundhouse/contract/admin';
import { IconHourglass } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiQuery } from '../api.ts';
import { madeBy } from '../lib/approvals.ts';
import { utcText } from '../lib/time.ts';
import { useAccount } from '../lib/useAccount.ts';
import { PathLink } from './PathLink.tsx';
import { ReceiveSecret } from './ReceiveSecret.tsx';

const POLL_MS = 10_000;
const MOST = 20;

/**
 * Says on the page of an object which requests about it wait for a second user, and gives the
 * requester what an approved one has made. `subject` is that of the log of significant events.
 */
export function WaitingRequests({ subject }: { subject: string }) {
  const { twoPerson } = useAccount();
  return twoPerson ? <Requests subject={subject} /> : null;
}

function Requests({ subject }: { subject: string }) {
  const cache = useQueryClient();
  const approvals = useQuery(apiQuery('listApprovals', { query: { subject, limit: MOST } }, { pollMs: POLL_MS }));
  const [received, setReceived] = useState<Approval>();
  const items = approvals.data?.items ?? [];
  const waiting = items.filter(({ state }) => state === 'waiting');
  const mine = items.filter(({ secret, isOwn }) => secret === 'waiting' && isOwn);
  const count = waiting.length;
  const before = useRef(count);
  useEffect(() => {
    // The decision has changed what the page shows.
    if (count < before.current) void cache.invalidateQueries();
    before.current = count;
  }, [cache, count]);
  if (count === 0 && mine.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title={titleOf(count)} icon={<IconHourglass size={18} />} mb="md">
      <Stack gap="xs">
        {waiting.map(({ approvalID, what, requestedBy, requestedAt }) => (
          <Text key={approvalID} size="sm">
            {what} Requested by {requestedBy} at {utcText(requestedAt)}.
          </Text>
        ))}
        {mine.map((approval) => (
          <Group key={approval.approvalID} gap="xs">
            <Text size="sm">
              {approval.decidedBy} has approved: {approval.what}
            </Text>
            <Button size="compact-xs" variant="default" onClick={() => setReceived(approval)}>
              Show the {madeBy(approval)}
            </Button>
          </Group>
        ))}
        {count > 0 && (
          <Anchor component={PathLink} to="/approvals?state=waiting" fz="sm" c="inherit" underline="always">
            Approvals
          </Anchor>
        )}
      </Stack>
      {received && <ReceiveSecret approval={received} onClose={() => setReceived(undefined)} />}
    </Alert>
  );
}

function titleOf(count: number): string {
  if (count === 0) return 'Approved';
  return count === 1 ? 'A request waits for a second user' : `${count} requests wait for a second user`;
}
