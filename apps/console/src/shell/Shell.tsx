import { AppShell, Burger, Button, Group, Kbd, NavLink, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import logo from '@roundhouse/brand/logo.svg';
import { IconKeyboard, IconSearch } from '@tabler/icons-react';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isSignInOpen } from '../api.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { PathLink } from '../components/PathLink.tsx';
import { wordsOf } from '../components/StateBadge.tsx';
import { useAccount } from '../lib/useAccount.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { closedPage, isBelow, navigationFor } from './navigation.ts';
import classes from './Shell.module.css';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import { WaitingCount } from './WaitingCount.tsx';
import { WrongTries } from './WrongTries.tsx';

// The first load does not need these.
const Keys = lazy(() => import('./Keys.tsx'));
const AccountPage = lazy(async () => {
  const [page] = await Promise.all([import('../pages/account/AccountPage.tsx'), import('../styles/rest.ts')]);
  return { default: page.AccountPage };
});
const SignInAgain = lazy(() => import('./SignInAgain.tsx'));

/** Surrounds every page of a user who is signed in. */
export function Shell() {
  const account = useAccount();
  const [isMenuOpen, menu] = useDisclosure();
  const [isFinderOpen, finder] = useDisclosure();
  const [Finder, setFinder] = useState<typeof import('./Finder.tsx').default>();
  const [areKeysOpen, keys] = useDisclosure();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const closed = closedPage(path, account);
  const isSignedOut = isSignInOpen.use();

  useEffect(() => menu.close(), [path]);
  // A lazy component would show 300 ms after Ctrl K at the earliest, and lose what is typed until
  // then.
  useEffect(() => void import('./Finder.tsx').then((loaded) => setFinder(() => loaded.default)), []);
  useHotkeys([['mod+K', finder.toggle]], []);
  useHotkeys([['shift+?', keys.open]]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      padding="md"
      transitionDuration={0}
    >
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isMenuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
          <PathLink to="/" className={classes.brand} aria-label="Roundhouse console, overview">
            <img src={logo} alt="" width={26} height={26} />
            <Text fw={600} visibleFrom="xs">
              Roundhouse
            </Text>
          </PathLink>
          {!account.mustAddAuthenticator && (
            <UnstyledButton className={classes.search} onClick={finder.open}>
              <IconSearch size={14} aria-hidden />
              <span>Search</span>
              <Kbd size="xs" visibleFrom="sm">
                Ctrl K
              </Kbd>
            </UnstyledButton>
          )}
          <Group gap={4} ml="auto" wrap="nowrap">
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              <Text span inherit visibleFrom="sm">
                Times in{' '}
              </Text>
              UTC
            </Text>
            <Button
              variant="subtle"
              color="gray"
              c="inherit"
              size="compact-sm"
              px={6}
              visibleFrom="sm"
              onClick={keys.open}
              aria-label="Keyboard"
            >
              <IconKeyboard size={18} aria-hidden />
            </Button>
            <ThemeSwitch />
            <AccountMenu account={account} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <div className={classes.pages}>
          {navigationFor(account).map(({ label, pages }) => (
            <div key={label} className={classes.group}>
              <Text size="xs" c="dimmed" fw={600} px="xs" pb={2}>
                {label}
              </Text>
              {pages.map((page) => (
                <NavLink
                  key={page.path}
                  component={PathLink}
                  to={page.path}
                  label={page.label}
                  rightSection={page.path === '/approvals' && <WaitingCount />}
                  leftSection={<page.icon size={16} stroke={1.6} aria-hidden />}
                  active={isBelow(path, page.path)}
                  aria-current={isBelow(path, page.path) ? 'page' : undefined}
                  className={classes.link}
                />
              ))}
            </div>
          ))}
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <WrongTries account={account} />
        {account.mustAddAuthenticator ? (
          <Suspense>
            <AccountPage />
          </Suspense>
        ) : closed === undefined ? (
          <Outlet />
        ) : (
          <>
            <PageHead title={closed.label} />
            <EmptyState title="Your role does not include this page">
              You are signed in as {account.email}, {wordsOf(account.role)}. An administrator can change your role.
            </EmptyState>
          </>
        )}
      </AppShell.Main>
      <Suspense>
        {isFinderOpen && Finder && <Finder onClose={finder.close} />}
        {isSignedOut && <SignInAgain account={account} />}
        {areKeysOpen && <Keys onClose={keys.close} />}
      </Suspense>
    </AppShell>
  );
}
