import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpUrl, resolveRgsUrl } from './rgsUrl.ts';

/** The URL parser takes each for https://casino.example.com/lobby, or for one much like it. */
const DROPPED = [
  'https://casino.example.com/lob\nby',
  'https://casino.example.com/lob\rby',
  'https://casino.example.com/lob\tby',
  'https://casino.ex\nample.com/lobby',
  'ht\ntps://casino.example.com/lobby',
  'https:\n//casino.example.com/lobby',
  'https://casino.example.com/lobby\r\n',
  'https://casino.example.com/lobby ',
  ' https://casino.example.com/lobby',
  '\nhttps://casino.example.com/lobby',
  '\u0000https://casino.example.com/lobby',
  'https://casino.example.com/lobby\u001f',
  'https://casino.example.com/lob\u0000by',
  'https://casino.example.com/lob\u007fby',
  'https://casino.example.com/lob\u0085by',
  'https://casino.example.com/lobby?a=\n1',
  'https://casino.example.com/lobby#\n',
  'https://casino.example.com/lobby\u2028',
  'https://casino.example.com/lobby\ud83d',
  'https:casino.example.com/lobby',
  'https:/casino.example.com/lobby',
];

describe('parseHttpUrl', () => {
  it.each(DROPPED)('refuses %j, which the URL parser changes in silence', (text) => {
    expect(URL.canParse(text)).toBe(true);
    expect(parseHttpUrl(text)).toBeUndefined();
  });

  it.each(['', 'javascript:alert(1)', 'ftp://casino.example.com', '/lobby', 'casino.example.com', 'https://'])(
    'refuses %j',
    (text) => expect(parseHttpUrl(text)).toBeUndefined(),
  );

  it.each([
    'https://casino.example.com',
    'HTTP://casino.example.com:8080/a b?c=d e#f g',
    'https://casino.example.com/Ääni/漢字?🎰=%0A',
  ])('reads %j as the URL parser does', (text) => expect(parseHttpUrl(text)?.href).toBe(new URL(text).href));
});

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
    'rgs.\u0000example.com',
    'rgs.example.com/a\u007f',
    'https://rgs.example.com/a\u0085',
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
