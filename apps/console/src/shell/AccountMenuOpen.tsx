import '../styles/rest.ts';
import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconSettings, IconUser } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { wordsOf } from '../components/StateBadge.tsx';
import type { MenuAccount } from '../lib/menuAccount.ts';
import { signOut } from '../lib/session.ts';

/** The account menu, initially open. */
export default function AccountMenuOpen({ account }: { account: MenuAccount }) {
  const router = useRouter();
  return (
    <Menu position="bottom-end" width={240} defaultOpened>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" aria-label="Account">
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={500} truncate>
            {account.email}
          </Text>
          {wordsOf(account.role)} of {account.operator ?? 'the server'}
        </Menu.Label>
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={() => router.history.push('/account')}>
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
