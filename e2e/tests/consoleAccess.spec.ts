import type { Page } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { expect, expectGoodPage, LOADING, test } from '../support/console.ts';
import type { ConsoleUser } from '../support/staff.ts';
import { totpOf } from '../support/totp.ts';

const PASSWORD = 'a long password of a person';
/** A star marks fields that must be filled. */
const PASSWORD_LABEL = /^Password( \*)?$/;

test.use({ game: 'sample-lines' });

test('a link sets the password once, and leads to the own account', async ({ page, site, watch }) => {
  const { email, link } = await site.admin.addUser({ role: 'support' });
  await page.goto(link);
  await expectGoodPage(page, 'welcome');
  await expect(page.getByLabel('Your account')).toHaveValue(email);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat the password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
  await expect(page.getByText('Add a second factor now')).toBeVisible();
  await expectGoodPage(page, 'account');

  await page.goto(link);
  await page.getByLabel('New password').fill('another long password');
  await page.getByLabel('Repeat the password').fill('another long password');
  watch.expectComplaint(/status of 400/);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid');
});

test('a page without a session leads through the sign-in and back', async ({ page, site, watch }) => {
  const user = await site.admin.addUserWithPassword({ role: 'administrator' });
  watch.expectComplaint(/status of 401/);
  await page.goto(`${site.url}/users?role=administrator`);
  await expect(page).toHaveTitle('Sign in · Roundhouse console');
  await expectGoodPage(page, 'sign-in');
  watch.expectComplaint(/status of 401/);
  await signInHere(page, { ...user, password: 'not the password' });
  await expect(page.getByRole('alert')).toHaveText('The email or password is wrong.');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await signInHere(page, user);
  await expect(page).toHaveURL(`${site.url}/users?role=administrator`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users');
});

test('an authenticator app is added by its key, and asked for; a recovery code takes its place', async ({
  page,
  site,
}) => {
  const user = await site.signIn(page, { role: 'finance', isNew: true }, '/account');
  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByRole('button', { name: 'Add' }).click();
  await confirmWithPassword(page, user, 'Continue');
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const key = (await page.getByTestId('totp-key').textContent()) ?? '';
  await page.getByLabel('Code from the app').fill(totpOf(key));
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(app).toContainText('in use');
  const codes = ((await app.locator('pre').textContent()) ?? '').split('\n');
  expect(codes.length).toBeGreaterThanOrEqual(8);

  await signOut(page);
  await signInHere(page, user);
  await giveCode(page, 'Code', totpOf(key, { steps: 1 }));
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();

  await signOut(page);
  await signInHere(page, user);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await giveCode(page, 'Recovery code', codes[0] ?? '');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
});

test('a passkey is added, signs in, and is removed', async ({ page, site }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const user = await site.signIn(page, { role: 'compliance', isNew: true }, '/account');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Work laptop');
  await page.getByRole('button', { name: 'Add the passkey' }).click();
  await expect(passkeys).toContainText('Work laptop');

  await signOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByRole('menu')).toContainText(user.email);
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await passkeys.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(passkeys).toContainText('None.');
});

test('a session that ends while a form is open keeps what was typed', async ({ page, site, watch }) => {
  const admin = await site.signIn(page, { role: 'administrator', isNew: true }, '/users');
  await page.getByRole('button', { name: 'Add a user' }).click();
  const form = page.getByRole('dialog', { name: 'Add a user' });
  await form.getByLabel('Email').fill('new.person@staff.example');
  await form.getByLabel('Name').fill('New Person');
  const { items } = await (await site.api(page, '/admin/account/sessions')).json();
  for (const { sessionID } of items) await site.api(page, `/admin/account/sessions/${sessionID}/end`, {});

  watch.expectComplaints(/status of 401/);
  await form.getByRole('button', { name: 'Add the user' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel(PASSWORD_LABEL).fill(admin.password);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(again).toBeHidden();
  await expect(form.getByLabel('Email')).toHaveValue('new.person@staff.example');
  await form.getByRole('button', { name: 'Add the user' }).click();
  await expect(page.getByRole('dialog', { name: 'A link for new.person@staff.example' })).toContainText(
    '/welcome?token=',
  );
});

test('an administrator changes, disables and signs out another user', async ({ page, site }) => {
  const other = await site.admin.addUserWithPassword({ role: 'viewer' });
  await site.signIn(page, { role: 'administrator' }, `/users?text=${other.email}`);
  await expectGoodPage(page, 'users');
  await page.getByRole('button', { name: other.email }).click();
  const drawer = page.getByRole('dialog', { name: other.email });
  await expect(drawer).toContainText('viewer');
  expect(await axeViolations(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Change role' }).click();
  const dialog = page.getByRole('dialog', { name: `Change the role of ${other.email}?` });
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'finance' }).click();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(dialog).toBeHidden();
  await expect(drawer).toContainText('finance');
  await drawer.getByRole('button', { name: 'Disable' }).click();
  await page
    .getByRole('dialog', { name: `Disable ${other.email}?` })
    .getByRole('button', { name: 'Disable' })
    .click();
  await expect(drawer.getByRole('button', { name: 'Enable' })).toBeVisible();
});

test('the pages of a role are those that it may open', async ({ page, site }) => {
  await site.signIn(page, { role: 'viewer' });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(pages.getByRole('link', { name: 'Rounds', exact: true })).toBeVisible();
  for (const name of ['Users', 'Reports', 'Significant events', 'Reconcile']) {
    await expect(pages.getByRole('link', { name, exact: true })).toHaveCount(0);
  }
  await page.goto(`${site.url}/users`);
  await expect(page.getByText('Your role does not include this page')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a user' })).toHaveCount(0);
  await expectGoodPage(page, 'closed-page');
});

/** The buttons of pages that every role may open, with the roles that may press them. */
const BUTTONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/free-rounds': { 'New campaign': ['support', 'gameManager', 'administrator'] },
  '/games': { 'Start maintenance of the whole server': ['gameManager', 'administrator'] },
  '/games/sample-lines': {
    'Start maintenance of this game': ['gameManager', 'administrator'],
    Withdraw: ['gameManager', 'administrator'],
  },
  '/operators': { 'Add an operator': ['administrator'] },
  '/operators/lobby': {
    'Start maintenance of this operator': ['gameManager', 'administrator'],
    ...{ Disable: ['administrator'], 'Change settings': ['administrator'], 'Change limits': ['administrator'] },
    ...{ 'Change jurisdiction': ['administrator'], 'Rotate the secret': ['administrator'] },
    'Check the wallet': ['administrator'],
  },
  '/wallet-transactions': { 'Retry selected': ['support', 'finance', 'administrator'] },
};

for (const role of ['viewer', 'support', 'finance', 'compliance', 'gameManager', 'administrator'] as const) {
  test(`the role ${role} sees the buttons that it may press, and no others`, async ({ page, site }) => {
    await site.signIn(page, { role }, '/account');
    for (const [path, buttons] of Object.entries(BUTTONS)) {
      await page.goto(site.url + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator(LOADING)).toHaveCount(0);
      for (const [name, roles] of Object.entries(buttons)) {
        const count = roles.includes(role) ? 1 : 0;
        await expect(page.getByRole('button', { name, exact: true }), `${path} ${name}`).toHaveCount(count);
      }
    }
  });
}

async function signInHere(page: Page, { email, password }: ConsoleUser): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(PASSWORD_LABEL).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function giveCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(new RegExp(`^${label}\\b`)).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function confirmWithPassword(page: Page, { password }: ConsoleUser, button: string): Promise<void> {
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveTitle('Sign in · Roundhouse console');
}
