import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';

type Props = {
  title: string;
  /** What to do with it, and that it appears only once. */
  hint: string;
  /** The secret: a link, a key, or codes on separate lines. */
  value: string;
};

/** Shows a secret that the server does not show again. */
export function ShownOnce({ title, hint, value }: Props) {
  return (
    <Alert color="yellow" variant="light" title={title} icon={<IconEye size={18} />}>
      <Stack gap="xs">
        <Text size="sm">{hint}</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {value}
        </Code>
        <Group>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
