import type { Page } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { expect, test } from '../support/test.ts';

type OpenApi = { info: { title: string }; paths: Record<string, Record<string, unknown>> };

test('the API documents, of the server and of the wallet, render offline and list every endpoint', async ({
  page,
  server,
}, testInfo) => {
  const document = (await (await server.get('/openapi.json')).json()) as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method })),
  );
  expect(operations).toContainEqual({ path: '/wallet/play', method: 'post' });

  await page.goto(`${server.origin}/docs/api`);
  await expect(page).toHaveTitle('Roundhouse API');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(document.info.title);
  for (const { path, method } of operations) await expect(operationOf(path, method)).toBeVisible();

  await operationOf('/wallet/play', 'post').click();
  await expect(page.getByRole('heading', { name: 'Responses' })).toBeVisible();
  await page.screenshot({ path: testInfo.outputPath('docs.png') });

  await page.getByLabel('Select a definition').selectOption("What the server calls: the operator's wallet");
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Roundhouse wallet');
  await expect(operationOf('/debit', 'post')).toBeVisible();
  await expect(operationOf('/wallet/play', 'post')).toBeHidden();

  function operationOf(path: string, method: string) {
    return page.getByRole('button', { name: `${method} ${path}`, exact: true });
  }
});

test('the site has a home page with a picture and lines for each role, in both colour schemes', async ({
  page,
  server,
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${server.origin}/docs`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Roundhouse/);
    for (const role of ['Studio', 'Front-end developer', 'Operator', 'Deployment', 'Test lab', 'Contributor']) {
      const section = page.locator('.home-h3', { has: page.getByRole('heading', { level: 3, name: role }) });
      await expect(section.locator('pre').first()).toBeVisible();
      await expect(section.getByRole('link').last()).toBeVisible();
    }
    // A second list would be buttons too, and words beside a link would stand below its button.
    const buttons = page.locator('.home-h1 > ul > li');
    await expect(buttons).toHaveText(['Your first spin', 'Studio guide', 'Operator guide']);
    await expect(buttons.getByRole('link')).toHaveText(await buttons.allInnerTexts());
    const picture = page.getByRole('img', { name: 'The demo slot' });
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
  }
});

test('the tabs of a site page show one language each', async ({ page, server }) => {
  await page.goto(`${server.origin}/docs/signature`);
  const tabs = page.locator('.vp-code-group').first();
  const shown = tabs.locator('pre:visible');
  await expect(shown).toContainText("from 'node:crypto'");

  await tabs.getByText('Python', { exact: true }).click();
  await expect(shown).toContainText('import hmac');
  await page.keyboard.press('ArrowRight');
  await expect(shown).toContainText('<?php');
  expect(await violationsOf(page)).toEqual([]);
});

test('the search of the site knows what a plain word means', async ({ page, server }) => {
  await page.goto(`${server.origin}/docs`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('GDPR');
  await page.getByRole('option').first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Personal data/);
});

/**
 * Two rules leave out what VitePress itself has: its search button and the headings of its sidebar.
 */
async function violationsOf(page: Page): Promise<string[]> {
  const violations = await axeViolations(page);
  return violations.filter((each) => !/^(label-content-name-mismatch .* \.DocSearch|nested-interactive )/.test(each));
}
