import { resolveRgsUrl } from '@roundhouse/contract';
import { InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../config.ts';
import { parseBaseUrl, withDefault } from './options.ts';

/** As a launch URL can carry it. */
function parsePublicUrl(text: string): string {
  const url = resolveRgsUrl(parseBaseUrl(text));
  if (url === undefined) throw new InvalidArgumentError('A launch URL cannot carry this address.');
  return url;
}

export function publicUrlOption(): Option {
  const option = new Option(
    '--public-url <url>',
    'address of the server for browsers, when it is behind a proxy (default: the one it listens on)',
  ).argParser(parsePublicUrl);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_PUBLIC_URL',
    text: readEnvironment().publicUrl,
    fallback: undefined,
  });
}
