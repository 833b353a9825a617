import { Anchor, Stack, Text } from '@mantine/core';
import type { AdminRouteName } from '@roundhouse/contract/admin-routes';
import { PathLink } from '../../components/PathLink.tsx';
import { pathOf } from '../../lib/search.ts';
import { useMay } from '../../lib/useAccount.ts';

type Other = { label: string; path: string; needs: AdminRouteName; text: string };

const OTHERS: readonly Other[] = [
  {
    ...{ label: 'Large wins', path: pathOf('/events', { kind: 'large_win' }), needs: 'listEvents' },
    text: "Wins at or above the operator's threshold.",
  },
  {
    ...{ label: 'Large bets', path: pathOf('/events', { kind: 'large_bet' }), needs: 'listEvents' },
    text: "Bets at or above the operator's threshold.",
  },
  {
    ...{ label: 'Large daily wins', path: pathOf('/events', { kind: 'large_daily_win' }), needs: 'listEvents' },
    text: "Players whose wins in a day reach the operator's threshold.",
  },
  {
    ...{ label: 'Large daily wagers', path: pathOf('/events', { kind: 'large_daily_wager' }), needs: 'listEvents' },
    text: "Players whose wagers in a day reach the operator's threshold.",
  },
  {
    ...{ label: 'Audit log', path: '/events', needs: 'listEvents' },
    text: 'All significant events, with a download and a check that the log is intact.',
  },
  {
    ...{ label: 'Round records', path: '/rounds', needs: 'listRounds' },
    text: 'Every round with its bet, payout, state and times, with a download.',
  },
  {
    ...{ label: 'Reconcile an operator', path: '/reconcile', needs: 'reconcileOperator' },
    text: "Our wallet transactions compared with the operator's list.",
  },
];

/** Links to the reports on other pages. */
export function OtherReports() {
  const may = useMay();
  return (
    <Stack gap="sm">
      {OTHERS.filter(({ needs }) => may(needs)).map(({ label, path, text }) => (
        <div key={label}>
          <Anchor component={PathLink} to={path} fz="sm" fw={600}>
            {label}
          </Anchor>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
