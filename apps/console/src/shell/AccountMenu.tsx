import { ActionIcon } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { MenuAccount } from '../lib/menuAccount.ts';

// A menu has to find its place on the page, whose code a first load can do without.
const OpenMenu = lazy(() => import('./AccountMenuOpen.tsx'));

/** Says who is signed in; leads to the account page and signs out. */
export function AccountMenu({ account }: { account: MenuAccount }) {
  const [isUsed, setUsed] = useState(false);
  if (!isUsed) return <AccountButton onClick={() => setUsed(true)} />;
  return (
    <Suspense fallback={<AccountButton />}>
      <OpenMenu account={account} />
    </Suspense>
  );
}

function AccountButton(props: { onClick?: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" c="inherit" aria-label="Account" aria-haspopup="menu" {...props}>
      <IconUser size={18} aria-hidden />
    </ActionIcon>
  );
}
