import { Button, Group, Menu, Progress, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { reportError } from '../api.ts';
import { AwayError, errorOf } from '../lib/errors.ts';
import { notify } from '../lib/notify.ts';
import { request } from '../lib/request.ts';
import type { Search } from '../lib/search.ts';
import { errorText } from './ErrorState.tsx';

type Props = {
  /** Names the table, as `/admin/downloads/:table` has it. */
  table: string;
  /** The filters of the table as it is shown. */
  query?: Search;
};

/** Downloads a table as CSV or XLSX, with progress when it is long. */
export function DownloadButton({ table, query = {} }: Props) {
  const [received, setReceived] = useState<{ bytes: number; total: number | undefined }>();
  const download = async (format: 'csv' | 'xlsx') => {
    setReceived({ bytes: 0, total: undefined });
    try {
      const file = await receive(table, { ...query, format }, (bytes, total) => setReceived({ bytes, total }));
      save(file.blob, file.name ?? `${table}.${format}`);
    } catch (error) {
      notify.failed(errorText(error as Error));
    } finally {
      setReceived(undefined);
    }
  };
  if (received) {
    const percent = received.total ? (received.bytes / received.total) * 100 : 100;
    return (
      <Group gap="xs">
        <Progress w={120} value={percent} animated={!received.total} aria-label="Download" />
        <Text size="sm" c="dimmed">
          {Math.ceil(received.bytes / 1024).toLocaleString('en')} KB
        </Text>
      </Group>
    );
  }
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => download('xlsx')}>XLSX</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

async function receive(table: string, query: Search, onProgress: (bytes: number, total: number | undefined) => void) {
  const response = await request('download', { params: { table }, query }).catch(() => {
    throw reportError(new AwayError(false));
  });
  if (!response.ok || !response.body) {
    throw reportError(errorOf(response.status, await response.json().catch(() => undefined)));
  }
  const total = Number(response.headers.get('content-length')) || undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    parts.push(part);
    bytes += part.length;
    onProgress(bytes, total);
  }
  const name = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { blob: new Blob(parts, { type: response.headers.get('content-type') ?? '' }), name };
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
