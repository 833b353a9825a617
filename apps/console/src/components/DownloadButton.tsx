import { Button, Group, Menu, Progress, Text } from '@mantine/core';
import type { ROWS_HEADER as WireRowsHeader } from '@roundhouse/contract/admin';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { reportError } from '../api.ts';
import { AwayError, errorOf } from '../lib/errors.ts';
import { notify } from '../lib/notify.ts';
import { request } from '../lib/request.ts';
import type { Search } from '../lib/search.ts';
import { errorText } from './ErrorState.tsx';

// Importing the contract's constant would also load its schemas.
const ROWS_HEADER: typeof WireRowsHeader = 'x-rows';
const LINE_FEED = 10;

type Props = {
  /** The name of the table in `/admin/downloads/:table`. */
  table: string;
  /** The file has what the current filters of the table show. */
  query?: Search;
};

type Received = { bytes: number; rows: number; total: number | undefined };

/** Downloads a table as CSV or XLSX, with progress when it is long. */
export function DownloadButton({ table, query = {} }: Props) {
  const [received, setReceived] = useState<Received>();
  const running = useRef<AbortController>(undefined);
  const download = async (format: 'csv' | 'xlsx') => {
    setReceived({ bytes: 0, rows: 0, total: undefined });
    const controller = new AbortController();
    running.current = controller;
    try {
      const file = await receive(table, { ...query, format }, { onProgress: setReceived, signal: controller.signal });
      save(file.blob, file.name ?? `${table}.${format}`);
    } catch (error) {
      if (!controller.signal.aborted) notify.failed(errorText(error as Error));
    } finally {
      setReceived(undefined);
    }
  };
  if (received) {
    const { bytes, rows, total } = received;
    // The number of rows is an estimate, and only CSV has its rows in lines.
    const percent = total && rows > 0 ? Math.min(100, (rows / total) * 100) : undefined;
    return (
      <Group gap="xs">
        <Progress w={120} value={percent ?? 100} animated={percent === undefined} aria-label="Download" />
        <Text size="sm" c="dimmed">
          {Math.ceil(bytes / 1024).toLocaleString('en')} KB
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => running.current?.abort()}>
          Cancel download
        </Button>
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

type Receiving = { onProgress: (received: Received) => void; signal: AbortSignal };

async function receive(table: string, query: Search & { format: string }, { onProgress, signal }: Receiving) {
  const response = await request('download', { params: { table }, query }, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw reportError(new AwayError(false));
  });
  if (!response.ok || !response.body) {
    throw reportError(errorOf(response.status, await response.json().catch(() => undefined)));
  }
  const total = Number(response.headers.get(ROWS_HEADER)) || undefined;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, rows] = [0, 0];
  try {
    for await (const part of response.body) {
      parts.push(part);
      bytes += part.length;
      if (query.format === 'csv') for (const byte of part) if (byte === LINE_FEED) rows += 1;
      onProgress({ bytes, rows, total });
    }
  } catch {
    throw new Error('The download failed, and nothing was saved. Try again.');
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
