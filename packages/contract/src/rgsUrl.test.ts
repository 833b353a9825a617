import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveRgsUrl } from './rgsUrl.ts';

describe('resolveRgsUrl', () => {
  it.each([
    ['rgs.example.com', 'https://rgs.example.com'],
    ['RGS.Example.com', 'https://rgs.example.com'],
    ['rgs.example.com/', 'https://rgs.example.com'],
    ['rgs.example.com:8443', 'https://rgs.example.com:8443'],
    ['rgs.example.com:443', 'https://rgs.example.com'],
    ['rgs.example.com:80', 'https://rgs.example.com:80'],
    ['rgs.example.com/api/', 'https://rgs.example.com/api'],
    ['192.168.1.5:4000', 'https://192.168.1.5:4000'],
    ['[2001:db8::1]:4000', 'https://[2001:db8::1]:4000'],
  ])('a bare host is https: %s', (text, url) => expect(resolveRgsUrl(text)).toBe(url));

  it.each([
    ['localhost', 'http://localhost'],
    ['localhost:4000', 'http://localhost:4000'],
    ['localhost:443', 'http://localhost:443'],
    ['localhost:80', 'http://localhost'],
    ['localhost:4000/rgs/', 'http://localhost:4000/rgs'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['127.9.8.7', 'http://127.9.8.7'],
    ['127.10.200.30', 'http://127.10.200.30'],
    ['127.1', 'http://127.0.0.1'],
    ['[::1]:4000', 'http://[::1]:4000'],
  ])('a bare loopback host is http: %s', (text, url) => expect(resolveRgsUrl(text)).toBe(url));

  it.each(['localhost.example.com', '127.0.0.1.example.com', '128.0.0.1', '[::2]', 'mylocalhost'])(
    'is not taken in by %s',
    (text) => expect(resolveRgsUrl(text)).toBe(`https://${text}`),
  );

  it.each([
    ['https://rgs.example.com', 'https://rgs.example.com'],
    ['https://rgs.example.com/', 'https://rgs.example.com'],
    ['HTTPS://rgs.example.com/a/b//', 'https://rgs.example.com/a/b'],
    ['https://localhost:4000', 'https://localhost:4000'],
    ['http://192.168.1.5:4000/rgs', 'http://192.168.1.5:4000/rgs'],
    ['http://rgs.example.com', 'http://rgs.example.com'],
    ['https://rgs.example.com/@scope', 'https://rgs.example.com/@scope'],
  ])('a full URL is taken as it is: %s', (text, url) => expect(resolveRgsUrl(text)).toBe(url));

  it.each([
    '',
    ' ',
    '/',
    '//rgs.example.com',
    '/wallet',
    ':4000',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://rgs.example.com',
    'file:///etc/hosts',
    'ws://rgs.example.com',
    'https://',
    'https:///rgs.example.com',
    'https:rgs.example.com',
    'https://user@rgs.example.com',
    'https://user:secret@rgs.example.com',
    'https://:@rgs.example.com',
    'user@rgs.example.com',
    'rgs.example.com?x=1',
    'https://rgs.example.com/#x',
    'rgs example.com',
    ' rgs.example.com',
    'rgs.example.com\n',
    'rgs.\texample.com',
    'rgs.example.com\\path',
    'rgs.example.com:99999',
    'rgs.example.com:port',
    'rgs.example.com//path',
    'https://[::1',
    `${'a'.repeat(2048)}.example.com`,
  ])('refuses %j', (text) => expect(resolveRgsUrl(text)).toBeUndefined());

  it('never ends in a slash, and what it returns resolves to itself', () => {
    const pieces = fc.constantFrom(
      'http',
      'https',
      '://',
      '/',
      ':',
      '@',
      '.',
      'a',
      'localhost',
      '127.0.0.1',
      '4000',
      '?',
      '\\',
      ' ',
      '[::1]',
      '%41',
    );
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.webUrl(),
      fc.domain(),
    );
    const property = fc.property(text, (input) => {
      const url = resolveRgsUrl(input);
      if (url === undefined) return;
      expect(url).toMatch(/^https?:\/\/[^/@]+/);
      expect(url.endsWith('/')).toBe(false);
      expect(resolveRgsUrl(url)).toBe(url);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
