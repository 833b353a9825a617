import { Stack } from '@mantine/core';
import type { AdminCampaign, CampaignProgress } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ApiOutput, apiQuery, useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { amountColumn, countColumn, textColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { OperatorLink } from '../../components/links.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { counted } from '../../lib/rtp.ts';
import { useMay } from '../../lib/useAccount.ts';
import { betsText, priceText } from '../free-rounds/campaignTexts.ts';
import { GivePlayers } from './GivePlayers.tsx';
import { GrantList } from './GrantList.tsx';

const POLL_MS = 15_000;

/** Shows the progress of a campaign: given, used and won, what it costs and can still cost. */
export function CampaignPage() {
  const { operator = '', campaignID = '' } = useParams({ strict: false }) as Record<string, string | undefined>;
  const followed = useQuery(apiQuery('getCampaign', { params: { operator, campaignID } }, { pollMs: POLL_MS }));
  const may = useMay();
  return (
    <>
      <PageHead
        title={campaignID}
        trail={[{ label: 'Free rounds', to: '/free-rounds' }]}
        badge={followed.data && <StateBadge state={followed.data.campaign.state} />}
        actions={
          followed.data?.campaign.state === 'open' &&
          may('cancelCampaign') && <CancelCampaign followed={followed.data} />
        }
      />
      <Loaded query={followed} lines={8}>
        {({ campaign, progress, perGrant }) => (
          <Stack gap="md">
            <Terms campaign={campaign} />
            <Panel title="Progress">
              <DataTable<CampaignProgress>
                label="Progress by currency"
                columns={PROGRESS}
                rows={progress}
                rowKey={({ currency }) => currency}
                empty="Not given to any player yet"
                emptyHint={perGrant.map((price) => `Per player in ${price.currency}: ${priceText(price)}. `)}
              />
            </Panel>
            {campaign.state === 'open' && may('giveGrants') && <GivePlayers campaign={campaign} perGrant={perGrant} />}
            <Panel title="Grants">
              <GrantList operator={operator} campaignID={campaignID} />
            </Panel>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Terms({ campaign }: { campaign: AdminCampaign }) {
  return (
    <KeyValue
      items={{
        Operator: <OperatorLink operator={campaign.operator} />,
        Games: campaign.gameIDs.join(', '),
        Mode: campaign.mode,
        'Rounds per player': campaign.rounds,
        'Bet per round': betsText(campaign.bets),
        Starts: <Time at={campaign.startsAt} withLocal />,
        Ends: <Time at={campaign.endsAt} withLocal />,
        'Valid for': campaign.playWithinHours && `${campaign.playWithinHours} hours`,
        'Used automatically': campaign.automatic ? 'yes' : 'no',
        'Wins paid': campaign.paidAtEnd ? 'in one sum at the end' : 'after each round',
        Created: <Time at={campaign.createdAt} />,
      }}
    />
  );
}

const PROGRESS: readonly Column<CampaignProgress>[] = [
  textColumn('currency', 'Currency', ({ currency }) => currency),
  countColumn('grants', 'Players', ({ grants }) => grants, 'sm'),
  countColumn('given', 'Given', ({ given }) => given, 'sm'),
  countColumn('used', 'Used', ({ used }) => used),
  countColumn('left', 'Left', ({ left }) => left),
  countColumn('expired', 'Expired', ({ expired }) => expired, 'md'),
  countColumn('cancelled', 'Cancelled', ({ cancelled }) => cancelled, 'md'),
  amountColumn('cost', 'Cost to date', ({ cost }) => cost),
  amountColumn('won', 'Won', ({ won }) => won, 'sm'),
  amountColumn('costLeft', 'Remaining cost', ({ costLeft }) => costLeft, 'md'),
  amountColumn('liability', 'Max liability', ({ liability }) => liability, 'sm'),
];

function CancelCampaign({ followed: { campaign, progress } }: { followed: ApiOutput<'getCampaign'> }) {
  const { operator, campaignID } = campaign;
  const cancel = useAction('cancelCampaign', {
    done: `Campaign ${campaignID} is cancelled`,
    refreshes: ['getCampaign', 'listGrants', 'listCampaigns'],
  });
  const left = progress.reduce((sum, each) => sum + each.left, 0);
  return (
    <ConfirmAction
      label="Cancel the campaign"
      title={`Cancel campaign ${campaignID}?`}
      consequence={`No more players get it, and those who have it forfeit ${counted(left, 'unused round')}. Open rounds can still be finished and are paid. This cannot be undone.`}
      isDangerous
      reason="required"
      onConfirm={(reason) => cancel.mutateAsync({ params: { operator, campaignID }, body: { reason } })}
    />
  );
}
