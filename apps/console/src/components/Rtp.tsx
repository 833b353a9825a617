import { Text } from '@mantine/core';
import { percentText } from '../lib/rtp.ts';

/** Over fewer rounds a slot's RTP may be far from the theoretical one. */
const FEW_ROUNDS = 10_000;

/** Shows an RTP, and says when few rounds are behind it. */
export function Rtp({ rtp, rounds }: { rtp: number | null; rounds: number }) {
  return (
    <span style={{ whiteSpace: 'normal' }}>
      {rtp !== null && rounds < FEW_ROUNDS && (
        <Text span size="xs" c="dimmed">
          few rounds{' '}
        </Text>
      )}
      {percentText(rtp).replace(' ', '\u00a0')}
    </span>
  );
}
