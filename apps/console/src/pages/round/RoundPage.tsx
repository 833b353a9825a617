import { SimpleGrid, Stack } from '@mantine/core';
import type { RoundPage as Page } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { Amount } from '../../components/Amount.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { GameLink, OperatorLink, PlayerLink } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { Timeline } from '../../components/Timeline.tsx';
import { WaitingRequests } from '../../components/WaitingRequests.tsx';
import { RoundState } from '../rounds/roundColumns.tsx';
import { BookPanel } from './BookPanel.tsx';
import { FairnessPanel } from './FairnessPanel.tsx';
import { LimitsPanel } from './LimitsPanel.tsx';
import { RoundActions } from './RoundActions.tsx';
import { TransactionsPanel } from './TransactionsPanel.tsx';
import { timelineItem } from './timelineItem.tsx';

/** Reloads a round at this interval while its money moves. */
const POLL_MS = 5_000;

/** Shows everything about a round, with its actions. */
export function RoundPage() {
  const { betID } = useParams({ strict: false }) as { betID: string };
  const query = useQuery({
    ...apiQuery('getRound', { params: { betID } }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving(data) ? POLL_MS : false),
  });
  const { data } = query;
  return (
    <>
      <PageHead
        title={`Round ${betID}`}
        trail={[{ label: 'Rounds', to: '/rounds' }]}
        badge={data && <RoundState round={data.round} />}
        actions={data && <RoundActions key={betID} page={data} />}
      />
      <WaitingRequests subject={`round ${betID}`} />
      <Loaded query={query} lines={10}>
        {(page) => <RoundBody page={page} />}
      </Loaded>
    </>
  );
}

function isMoving({ round, transactions }: Page): boolean {
  return round.state === 'open' || transactions.some(({ state }) => state === 'pending');
}

function RoundBody({ page }: { page: Page }) {
  const { round, timeline, limits } = page;
  const entries = timeline.map((entry, index) => timelineItem(entry, { currency: round.currency, key: String(index) }));
  return (
    <Stack gap="md">
      <Panel title="Details">
        <RoundFacts page={page} />
      </Panel>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        <Panel title="Timeline">
          <Timeline label="Timeline of the round" items={entries} />
        </Panel>
        <Stack gap="md" miw={0}>
          <TransactionsPanel page={page} />
          <LimitsPanel limits={limits} currency={round.currency} />
          {round.fairness && <FairnessPanel fairness={round.fairness} />}
          <BookPanel round={round} />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

function RoundFacts({ page: { round, gameTitle } }: { page: Page }) {
  const { playerID, operator, gameID, gameVersion, mode, currency, amount, debit, freeBet, grantID, payout } = round;
  const isPaid = round.state === 'settled';
  return (
    <KeyValue
      items={{
        Player: <PlayerLink {...{ operator, playerID }} />,
        Operator: <OperatorLink operator={operator} />,
        Game: <GameLink gameID={gameID}>{`${gameTitle} ${gameVersion}`}</GameLink>,
        Mode: mode,
        [round.state === 'refused' ? 'Bet, refused' : 'Bet']:
          freeBet === undefined ? <Amount micros={debit} currency={currency} /> : 'free',
        'Base bet': <Amount micros={amount} currency={currency} />,
        [isPaid ? 'Payout' : 'Book payout']: <Amount micros={payout} currency={currency} />,
        Grant: grantID,
        Opened: <Time at={round.openedAt} withLocal />,
        Ended: <Time at={round.closedAt} withLocal />,
        Country: round.country ?? undefined,
        Session: round.sessionNumber,
      }}
    />
  );
}
