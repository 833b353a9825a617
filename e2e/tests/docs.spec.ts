import { expect, test } from '../support/test.ts';

type OpenApi = { info: { title: string }; paths: Record<string, Record<string, unknown>> };

test('the API documents, what the server answers and what it calls, render offline and list every endpoint', async ({
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
