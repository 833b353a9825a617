import { resolveRgsUrl } from '@roundhouse/contract';
import { InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../../config.ts';
import { parseBaseUrl, withDefault } from './options.ts';

/** An address of the server, as a launch URL can carry it. */
function parsePublicUrl(text: string): string {
  const url = resolveRgsUrl(parseBaseUrl(text));
  if (url === undefined) throw new InvalidArgumentError('A launch URL cannot carry this address.');
  return url;
}

export function publicUrlOption(): Option {
  return withPublicUrl(
    new Option(
      '--public-url <url>',
      'address of the server for browsers, when it is behind a proxy (default: the one it listens on)',
    ),
  );
}

/** Of a command beside the server: what `serve` was told is true for its launch URLs too. */
export function rgsUrlOption(): Option {
  return withPublicUrl(
    new Option(
      '--rgs-url <url>',
      'address of the server for browsers (default: ROUNDHOUSE_PUBLIC_URL, else that of the server on --data)',
    ),
  );
}

function withPublicUrl(option: Option): Option {
  return withDefault(option.argParser(parsePublicUrl), {
    variable: 'ROUNDHOUSE_PUBLIC_URL',
    text: readEnvironment().publicUrl,
    fallback: undefined,
  });
}
