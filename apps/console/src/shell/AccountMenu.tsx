import { ActionIcon } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { MenuAccount } from '../lib/menuAccount.ts';

// The first load does not need the code that positions a menu.
const OpenMenu = lazy(() => import('./AccountMenuOpen.tsx'));

/** Shows who is signed in, with links to the account and the sign-out. */
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
