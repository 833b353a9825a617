import { Text } from '@mantine/core';
import type { RoundLimits } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Panel } from '../../components/Panel.tsx';

/** Shows the limits that apply to the bets of the session. */
export function LimitsPanel({ limits, currency }: { limits: RoundLimits; currency: string }) {
  const { maxStake, minimumRoundDurationMs, minimumRTP, rtp, operator, player } = limits;
  const amount = (micros: number | null) => (micros === null ? 'none' : <Amount micros={micros} currency={currency} />);
  return (
    <Panel title="Limits">
      <KeyValue
        items={{
          'Highest bet (session)': amount(maxStake),
          'Highest bet (operator)': amount(operator.maxBet),
          'Daily bets (operator)': amount(operator.dailyWager),
          'Daily loss (operator)': amount(operator.dailyLoss),
          'Daily bets (player)': amount(player.dailyWager),
          'Daily loss (player)': amount(player.dailyLoss),
          'Shortest round': durationText(minimumRoundDurationMs),
          'Lowest RTP': minimumRTP === null ? 'none' : `${minimumRTP} %`,
          'RTP of the mode': rtp === null ? undefined : `${Number((rtp * 100).toPrecision(8))} %`,
        }}
      />
      <Text size="xs" c="dimmed" mt="xs">
        The session keeps its limits from the launch. The limits of the operator and the player are the current ones.
      </Text>
    </Panel>
  );
}

function durationText(ms: number | null): string {
  if (ms === null) return 'unknown: the session was deleted';
  return ms === 0 ? 'none' : `${(ms / 1000).toLocaleString('en')} s`;
}
