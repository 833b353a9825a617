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
          'Max bet (session)': amount(maxStake),
          'Max bet (operator)': amount(operator.maxBet),
          'Daily wager limit (operator)': amount(operator.dailyWager),
          'Daily loss limit (operator)': amount(operator.dailyLoss),
          'Daily wager limit (player)': amount(player.dailyWager),
          'Daily loss limit (player)': amount(player.dailyLoss),
          'Min round duration': durationText(minimumRoundDurationMs),
          'Min RTP': minimumRTP === null ? 'none' : `${minimumRTP} %`,
          'Theoretical RTP': rtp === null ? undefined : `${Number((rtp * 100).toPrecision(8))} %`,
        }}
      />
      <Text size="xs" c="dimmed" mt="xs">
        Session limits are those of the launch; operator and player limits are the current ones.
      </Text>
    </Panel>
  );
}

function durationText(ms: number | null): string {
  if (ms === null) return 'unknown: the session was deleted';
  return ms === 0 ? 'none' : `${(ms / 1000).toLocaleString('en')} s`;
}
