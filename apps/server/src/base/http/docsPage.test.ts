import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { docsRouter, docsSiteRouter } from './docsPage.ts';

const server = createServer(
  express()
    .use('/below', docsRouter(), docsSiteRouter({ isServed: false }))
    .use('/local', docsSiteRouter({ isServed: true })),
);
let base: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
});
afterAll(() => void server.close());

it.each(['openapi.json', 'wallet-openapi.json'])('serves the document %s', async (file) => {
  const response = await fetch(`${base}/${file}`);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.text()).toBe(await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8'));
});

it('serves a page with no inline script or style, and everything it refers to', async () => {
  const page = await fetch(`${base}/docs/api`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('content-security-policy')).toContain(
    "default-src 'none'; script-src 'self'; style-src 'self';",
  );
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/);

  const references = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(references.length).toBeGreaterThanOrEqual(5);
  for (const reference of references) {
    const asset = await fetch(new URL(reference, page.url));
    expect({ reference, status: asset.status }).toEqual({ reference, status: 200 });
    expect((await asset.text()).length).toBeGreaterThan(0);
  }
});

it.each([
  ['swagger-ui-bundle.js', 'javascript'],
  ['swagger-ui.css', 'text/css'],
])('serves %s as %s', async (file, type) => {
  expect((await fetch(`${base}/docs/${file}`)).headers.get('content-type')).toContain(type);
});

it.each(['/docs', '/docs/', '/docs/api/'])('sends a reader of %s to the page', async (path) => {
  expect(await fetch(base + path)).toMatchObject({ url: `${base}/docs/api`, status: 200 });
});

it('serves the site of the documents, with its own pages and everything they refer to', async () => {
  const site = base.replace('/below', '/local/docs');
  for (const path of ['', '/studio', '/sdk/client']) {
    const html = await (await fetch(site + path)).text();
    expect(html).toContain('Roundhouse</title>');
    for (const [, file] of html.matchAll(/(?:src|href)="\/docs(\/(?:assets\/|logo)[^"]+)"/g))
      expect({ file, status: (await fetch(site + file)).status }).toEqual({ file, status: 200 });
  }
});

it('the sidebar of the site names every page by its heading', async () => {
  const site = base.replace('/below', '/local/docs');
  const textOf = (html = '') =>
    html
      .replaceAll(/<[^>]+>/g, '')
      .replace(/&#39;/g, "'")
      .trim();
  const html = await (await fetch(`${site}/studio`)).text();
  const items = [
    ...html.matchAll(/<a [^>]*href="\/docs(\/[^"]+)"[^>]*>(?:<!--\[-->)?<p class="text"[^>]*>(.*?)<\/p>/g),
  ];
  const sources = readdirSync(new URL('../../../../../docs/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && file !== 'index.md' && !file.includes('node_modules'))
    .map((file) => `/${file.replace(/(?<=\/)index\.md$|\.md$/, '')}`);
  expect(items.map(([, link]) => link).sort()).toEqual(sources.sort());
  for (const [, link = '', text] of items) {
    const [, heading] = /<h1[^>]*>(.*?)<a class="header-anchor"/.exec(await (await fetch(site + link)).text()) ?? [];
    expect({ link, text: textOf(text) }).toEqual({ link, text: textOf(heading) });
  }
});

it('serves nothing else of the package', async () => {
  for (const file of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui.css.map']) {
    expect((await fetch(`${base}/docs/${file}`)).status).toBe(404);
  }
});
