import { Stack, Tabs } from '@mantine/core';
import type { PlayerPage as Page } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { OperatorLink, type PlayerKey } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { WaitingRequests } from '../../components/WaitingRequests.tsx';
import { useFilters } from '../../lib/useFilters.ts';
import { GrantList } from '../campaign/GrantList.tsx';
import { RoundList } from '../rounds/RoundList.tsx';
import { AccountsPanel } from './AccountsPanel.tsx';
import { NetPositionPanel } from './NetPositionPanel.tsx';
import { PlayerActions } from './PlayerActions.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';

const TABS = [
  { value: 'rounds', label: 'Rounds' },
  { value: 'net', label: 'Net position' },
  { value: 'grants', label: 'Free rounds' },
  { value: 'sessions', label: 'Sessions' },
] as const;

/** Shows a player: accounts, limits, rounds, net position, free rounds, sessions. */
export function PlayerPage() {
  const key = useParams({ strict: false }) as PlayerKey;
  const query = useQuery(apiQuery('getPlayer', { params: key }));
  const { data } = query;
  const isExpired = data?.player.loginExpiresAt != null && Date.parse(data.player.loginExpiresAt) <= Date.now();
  return (
    <>
      <PageHead
        title={key.playerID}
        trail={[{ label: 'Players', to: '/players' }]}
        badge={isExpired && <StateBadge state="expired" label="login expired" tone="bad" />}
        actions={data && <PlayerActions page={data} />}
      />
      <WaitingRequests subject={`player ${key.playerID} of operator ${key.operator}`} />
      <Loaded query={query} lines={8}>
        {(page) => <PlayerBody page={page} player={key} />}
      </Loaded>
    </>
  );
}

function PlayerBody({ page, player }: { page: Page; player: PlayerKey }) {
  const [{ tab = 'rounds' }, setFilters] = useFilters('tab');
  const shown = TABS.find(({ value }) => value === tab)?.value ?? 'rounds';
  const { country, createdAt, loginExpiresAt } = page.player;
  return (
    <Stack gap="md">
      <Panel title="Details">
        <KeyValue
          items={{
            Operator: <OperatorLink operator={player.operator} />,
            Country: country ?? undefined,
            'First seen': <Time at={createdAt} />,
            'Login expires': loginExpiresAt === null ? 'never' : <Time at={loginExpiresAt} withLocal />,
            'Open sessions': page.openSessions,
          }}
        />
      </Panel>
      <AccountsPanel accounts={page.accounts} player={player} />
      <Tabs value={shown} onChange={(next) => setFilters({ tab: next ?? undefined })} keepMounted={false}>
        <Tabs.List mb="sm">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="rounds">
          <RoundList only={player} />
        </Tabs.Panel>
        <Tabs.Panel value="net">
          <NetPositionPanel player={player} currencies={page.player.currencies} />
        </Tabs.Panel>
        <Tabs.Panel value="grants">
          <GrantList {...player} />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsPanel player={player} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
