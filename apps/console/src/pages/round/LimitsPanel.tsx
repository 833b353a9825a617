import { Text } from '@mantine/core';
import type { RoundLimits } from '@roundhouse/contract/admin';
import { Amount } from '../../components/Amount.tsx';
import { KeyValue } from '../../components/KeyValue.tsx';
import { Panel } from '../../components/Panel.tsx';

/** Shows the limits that hold for the bets of the session. */
export function LimitsPanel({ limits, currency }: { limits: RoundLimits; currency: string }) {
  const { maxStake, minimumRoundDurationMs, minimumRTP, rtp, operator, player } = limits;
  const amount = (micros: number | null) => (micros === null ? 'none' : <Amount micros={micros} currency={currency} />);
  return (
    <Panel title="Limits">
      <KeyValue
        items={{
          'Most of a bet, by the session': amount(maxStake),
          'Most of a bet, by the operator': amount(operator.maxBet),
          'Bets of a day, by the operator': amount(operator.dailyWager),
          'Loss of a day, by the operator': amount(operator.dailyLoss),
          'Bets of a day, of the player': amount(player.dailyWager),
          'Loss of a day, of the player': amount(player.dailyLoss),
          'Shortest round': durationText(minimumRoundDurationMs),
          'Lowest RTP': minimumRTP === null ? 'none' : `${minimumRTP} %`,
          'RTP of the mode': rtp === null ? undefined : `${Number((rtp * 100).toPrecision(8))} %`,
        }}
      />
      <Text size="xs" c="dimmed" mt="xs">
        The session fixed its own limits when it was launched. Those of the operator and of the player are as they are
        now.
      </Text>
    </Panel>
  );
}

function durationText(ms: number | null): string {
  if (ms === null) return 'unknown: the session was deleted';
  return ms === 0 ? 'none' : `${(ms / 1000).toLocaleString('en')} s`;
}
