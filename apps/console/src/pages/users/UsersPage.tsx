import { Button, UnstyledButton } from '@mantine/core';
import type { ConsoleUser } from '@roundhouse/contract/admin';
import { ROLES } from '@roundhouse/contract/admin-routes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { countColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DownloadButton } from '../../components/DownloadButton.tsx';
import { FilterBar } from '../../components/FilterBar.tsx';
import { PageHead } from '../../components/PageHead.tsx';
import { StateBadge, wordsOf } from '../../components/StateBadge.tsx';
import { useOperatorFilter } from '../../lib/choices.ts';
import { useAccount } from '../../lib/useAccount.ts';
import { useFilters } from '../../lib/useFilters.ts';
import { usePaging } from '../../lib/usePaging.ts';
import { AddUser } from './AddUser.tsx';
import { LinkModal, type NewLink } from './LinkModal.tsx';
import { SecondPerson } from './SecondPerson.tsx';
import { UserDrawer } from './UserDrawer.tsx';

const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: wordsOf(value) }));

/** Lists the users of the console. An administrator adds and changes them. */
export function UsersPage() {
  const account = useAccount();
  const operatorFilter = useOperatorFilter();
  const [filters, setFilters] = useFilters('text', 'role', 'operator', 'user');
  const paging = usePaging();
  const [isAdding, setAdding] = useState(false);
  const [link, setLink] = useState<NewLink>();
  const role = ROLES.find((each) => each === filters.role);
  const { text, operator } = filters;
  const users = useQuery({
    ...apiQuery('listUsers', {
      query: { ...paging.query, ...(text && { text }), ...(operator && { operator }), ...(role && { role }) },
    }),
    placeholderData: keepPreviousData,
  });
  const open = users.data?.items.find(({ userID }) => userID === filters.user);

  const columns = useMemo(
    (): Column<ConsoleUser>[] => [
      {
        id: 'email',
        header: 'Email',
        cell: ({ userID, email }) => (
          <UnstyledButton
            {...{ fz: 'inherit', c: 'var(--mantine-color-anchor)' }}
            style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
            onClick={() => setFilters({ user: userID })}
          >
            {email}
          </UnstyledButton>
        ),
      },
      { ...textColumn('name', 'Name', ({ name }) => name, 'md'), isCut: true },
      { ...textColumn('role', 'Role', ({ role: of }) => wordsOf(of), 'sm'), under: 'email' },
      { ...textColumn('operator', 'Belongs to', (user) => user.operator ?? 'the server', 'md'), under: 'email' },
      textColumn('state', 'State', (user) => <UserState user={user} />),
      { ...textColumn('factor', 'Second factor', (user) => <SecondFactor user={user} />, 'sm'), under: 'state' },
      countColumn('sessions', 'Sessions', ({ sessions }) => sessions, 'xl'),
      timeColumn('seen', 'Last signed in', ({ lastSignedInAt }) => lastSignedInAt, 'lg'),
    ],
    [setFilters],
  );

  return (
    <>
      <PageHead
        title="Users"
        actions={
          <Button size="xs" onClick={() => setAdding(true)}>
            Add a user
          </Button>
        }
      />
      <SecondPerson />
      <FilterBar
        filters={[
          { name: 'text', label: 'Email or name' },
          { name: 'role', label: 'Role', options: ROLE_OPTIONS },
          ...operatorFilter,
        ]}
        values={filters}
        onChange={setFilters}
      />
      <DataTable
        label="Users"
        columns={columns}
        query={users}
        rowKey={({ userID }) => userID}
        onOpen={({ userID }) => setFilters({ user: userID })}
        paging={paging}
        footer={<DownloadButton table="users" query={{ text, role, operator }} />}
        empty="No matching users"
      />
      {isAdding && (
        <AddUser
          ownOperator={account.operator}
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            setLink(added);
          }}
        />
      )}
      {open && <UserDrawer user={open} onClose={() => setFilters({ user: undefined })} onLink={setLink} />}
      {link && <LinkModal link={link} onClose={() => setLink(undefined)} />}
    </>
  );
}

function UserState({ user }: { user: ConsoleUser }) {
  if (user.isDisabled) return <StateBadge state="disabled" />;
  return user.hasAccount ? <StateBadge state="enabled" /> : <StateBadge state="waiting" label="not signed in yet" />;
}

function SecondFactor({ user: { hasSecondFactor, passkeys, passwordAlone } }: { user: ConsoleUser }) {
  const factors = [
    ...(hasSecondFactor ? ['app'] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
  ];
  const label = factors.join(', ') || 'none';
  return passwordAlone ? <StateBadge state="waiting" label={label} /> : label;
}
