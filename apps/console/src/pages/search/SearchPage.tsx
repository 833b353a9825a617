import { Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PathLink } from '../../components/PathLink.tsx';
import { type Found, type FoundGroup, searchPath, searchQuery } from '../../shell/searchQuery.ts';

const HINT = 'Enter a betID, player, sessionID, transactionID, game, operator, campaign or grant.';

const columns: Column<Found>[] = [
  { id: 'label', header: 'Result', cell: ({ label, path }) => <PathLink to={path}>{label}</PathLink> },
  { id: 'detail', header: 'Details', cell: ({ detail }) => detail || '–' },
];

/** Shows all hits for a text, by kind. */
export function SearchPage() {
  const asked = useLocation({ select: ({ hash }) => textOf(hash) });
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  const router = useRouter();
  const found = useQuery({ ...searchQuery(asked), enabled: asked !== '' });
  const search = (event: FormEvent) => {
    event.preventDefault();
    router.history.push(searchPath(text.trim()));
  };
  return (
    <>
      <PageHead title="Search" />
      <Stack gap="md">
        <search>
          <form onSubmit={search}>
            <TextInput
              {...{ label: 'Find', description: HINT, value: text, maw: 480, maxLength: 512, autoComplete: 'off' }}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          </form>
        </search>
        {asked !== '' && <Loaded query={found}>{(groups) => <Groups groups={groups} />}</Loaded>}
      </Stack>
    </>
  );
}

function Groups({ groups }: { groups: readonly FoundGroup[] }) {
  if (groups.length === 0) return <EmptyState title="No results">{HINT}</EmptyState>;
  return groups.map(({ label, hits }) => (
    <Panel key={label} title={label}>
      <DataTable label={`Found ${label.toLowerCase()}`} columns={columns} rows={hits} rowKey={({ key }) => key} />
    </Panel>
  ));
}

/** Reads the part of the address after the #. Somebody may have typed it. */
function textOf(hash: string): string {
  try {
    return decodeURIComponent(hash).trim();
  } catch {
    return hash;
  }
}
