import { Text } from '@mantine/core';

type Props = { game: string | null; mode: string | null; currency: string | null };

/** Names a game, and below it what a narrow page has no columns for. */
export function GameCell({ game, mode, currency }: Props) {
  if (game === null) return <>No activity</>;
  return (
    <>
      {game}
      <Text size="xs" c="dimmed" hiddenFrom="md" truncate>
        {mode}, {currency}
      </Text>
    </>
  );
}
