import { Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Says that there is nothing, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap={4} py="xl">
      <IconInbox size={28} stroke={1.4} aria-hidden color="var(--mantine-color-dimmed)" />
      <Text fw={500}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" ta="center" component="div">
          {children}
        </Text>
      )}
    </Stack>
  );
}
