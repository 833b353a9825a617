import { Center, Group, Paper, Text, Title } from '@mantine/core';
import logo from '@roundhouse/brand/logo.svg';
import { type ReactNode, useEffect } from 'react';

/** People without a session see this page. */
export function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Roundhouse console`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="lg" w="100%" maw={400}>
        <Group gap="sm" mb="md">
          <img src={logo} alt="" width={28} height={28} />
          <div>
            <Title order={1} size="h3">
              {title}
            </Title>
            <Text size="sm" c="dimmed">
              Roundhouse console
            </Text>
          </div>
        </Group>
        {children}
      </Paper>
    </Center>
  );
}
