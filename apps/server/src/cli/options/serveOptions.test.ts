import { Command } from 'commander';
import { expect, it } from 'vitest';
import { parseBaseUrl, parsePageUrl } from './options.ts';
import { publicUrlOption } from './serveOptions.ts';

function parse(...args: string[]): unknown {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  return command.addOption(publicUrlOption('--public-url <url>', 'address')).parse(args, { from: 'user' }).opts()
    .publicUrl;
}

it.each([
  ['https://rgs.example.com/', 'https://rgs.example.com'],
  ['https://example.com:8443/rgs/', 'https://example.com:8443/rgs'],
  ['http://localhost:4000', 'http://localhost:4000'],
])('--public-url %s is %s', (text, url) => expect(parse('--public-url', text)).toBe(url));

it.each(['rgs.example.com', 'ftp://rgs.example.com', 'https://me@rgs.example.com', 'https://rgs.example.com/?a=b', ''])(
  '--public-url %j is refused',
  (text) => expect(() => parse('--public-url', text)).toThrow(/--public-url/),
);

it.each([
  ['a wallet', parseBaseUrl],
  ['a front end', parsePageUrl],
  ['the public URL', (text: string) => parse('--public-url', text)],
])('the address of %s has no line break and no space around it', (_, read) => {
  expect(read('https://a.example.com/b')).toBe('https://a.example.com/b');
  for (const text of [
    'https://a.example.com/\nb',
    'https://a.exam\tple.com/b',
    'https://a.example.com/b\n',
    ' https://a.example.com/b',
  ])
    expect(() => read(text), JSON.stringify(text)).toThrow(/http/);
});
