import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifierRouter } from './verifierPage.ts';

const server = createServer(express().disable('etag').use(verifierRouter()));
let url: string;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/fairness/verifier`;
});
afterAll(() => void server.close());

it('serves one file whose policy allows its own script and style, a worker, and no request', async () => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
  const html = await response.text();
  const hashOf = (tag: string) => {
    const [all, inside = ''] = new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(html) ?? [];
    expect(all, tag).toBeDefined();
    return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`;
  };
  expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hashOf('script')}`,
    `style-src ${hashOf('style')}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(html.match(/<script/g), 'scripts').toHaveLength(1);
  expect(html).not.toMatch(/<(script|img)[^>]*\ssrc=|<link[^>]*href="(?!data:)|\sstyle="|\son\w+="/);
});

it('is at most 60 KB, and compressed on the wire', async () => {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(Buffer.byteLength(await response.text())).toBeLessThan(60_000);
});

it('is sent again only when it has changed', async () => {
  const first = await fetch(url);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const tag = first.headers.get('etag') ?? '';
  const again = await fetch(url, { headers: { 'if-none-match': tag, 'cache-control': 'no-cache' } });
  expect(again.status).toBe(200);
  const cached = await fetch(url, { headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' } });
  expect(cached.status).toBe(304);
});

it('can be downloaded as the same file', async () => {
  const [page, file] = await Promise.all([fetch(url), fetch(`${url}?download`)]);
  expect(page.headers.get('content-disposition')).toBeNull();
  expect(file.headers.get('content-disposition')).toBe('attachment; filename=roundhouse-verifier.html');
  expect(await file.text()).toBe(await page.text());
});
