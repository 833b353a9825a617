import { Button, Checkbox, FileButton, Group, Progress, Stack, Text, Textarea } from '@mantine/core';
import type { AdminCampaign, GrantPrice } from '@roundhouse/contract/admin';
import { useMemo, useRef, useState } from 'react';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { Panel } from '../../components/Panel.tsx';
import { notify } from '../../lib/notify.ts';
import { counted } from '../../lib/rtp.ts';
import { priceText } from '../free-rounds/campaignTexts.ts';
import { countByCurrency, inParts, type Listed, readPlayers } from './playerList.ts';

/** The body of a request with this many players is well below the limit. */
const PLAYERS_PER_REQUEST = 2000;

const unknownText = (issue: string) => `Nothing given: ${issue}. Check the names, or choose new players.`;

type Props = { campaign: AdminCampaign; perGrant: readonly GrantPrice[] };

/**
 * Gives the free rounds of a campaign to a list of players, pasted or from a file. Each grant
 * keeps its id until all are given, so a resend after a failure gives nothing twice.
 */
export function GivePlayers({ campaign, perGrant }: Props) {
  const { operator, campaignID, bets, rounds } = campaign;
  const give = useAction('giveGrants', { refreshes: ['getCampaign', 'listGrants'] });
  const [text, setText] = useState('');
  const [sent, setSent] = useState<number>();
  const [newPlayers, setNewPlayers] = useState(false);
  const { players, issue } = useMemo(() => readPlayers(text, Object.keys(bets)), [text, bets]);
  const ids = useRef(new Map<string, string>());
  const prices = perGrant.filter(({ currency }) => countByCurrency(players).has(currency));

  const send = async () => {
    const grants = players.map((player) => ({ ...player, grantID: grantIDOf(player, ids.current) }));
    try {
      let done = 0;
      for (const part of inParts(grants, PLAYERS_PER_REQUEST)) {
        setSent(done);
        await give.mutateAsync({ params: { operator }, body: { campaignID, newPlayers, grants: part as never } });
        done += part.length;
      }
    } finally {
      setSent(undefined);
    }
    notify.done(`${counted(players.length, 'player')} got the free rounds`);
    setText('');
    setNewPlayers(false);
    ids.current.clear();
  };

  return (
    <Panel title="Give to players">
      <Stack gap="xs">
        <Textarea
          label="Players"
          description="One per line; with several currencies: player, currency."
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          error={issue}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group gap="xs">
          <FileButton
            accept=".csv,.txt,text/plain,text/csv"
            onChange={async (file) => file && setText(await file.text())}
          >
            {(props) => (
              <Button {...props} size="xs" variant="default">
                Upload a file
              </Button>
            )}
          </FileButton>
          <ConfirmAction
            label="Give"
            confirmLabel="Give the free rounds"
            title={`Give free rounds to ${counted(players.length, 'player')}?`}
            consequence={
              <>
                <Text size="sm">
                  Each player gets {counted(rounds, 'free round')} in {campaign.gameIDs.join(', ')} now. Total for the
                  operator:
                </Text>
                {prices.map((price) => (
                  <Text key={price.currency} size="sm" fw={600}>
                    {priceText(price, countByCurrency(players).get(price.currency))}
                  </Text>
                ))}
              </>
            }
            whyNot={players.length === 0 ? 'Enter players first.' : undefined}
            onConfirm={send}
            fields={['newPlayers']}
          >
            {(issues) => (
              <>
                <Checkbox
                  label="Also give to new players: the server creates those whom it does not know yet"
                  checked={newPlayers}
                  error={newPlayers ? undefined : issues.newPlayers && unknownText(issues.newPlayers)}
                  onChange={(event) => setNewPlayers(event.currentTarget.checked)}
                />
                {sent !== undefined && <Progress value={(sent / players.length) * 100} animated aria-label="Given" />}
              </>
            )}
          </ConfirmAction>
          {players.length > 0 && (
            <Text size="sm" c="dimmed">
              {counted(players.length, 'player')}
            </Text>
          )}
        </Group>
      </Stack>
    </Panel>
  );
}

function grantIDOf({ playerID, currency }: Listed, ids: Map<string, string>): string {
  const key = JSON.stringify([playerID, currency]);
  const grantID = ids.get(key) ?? crypto.randomUUID();
  ids.set(key, grantID);
  return grantID;
}
