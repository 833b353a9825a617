import { InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../../config.ts';
import { withDefault } from './options.ts';

/** More than this costs an operator money with every play. */
const DEFAULT_PERCENT = 100;

export function maxRtpOption(): Option {
  const option = new Option(
    '--max-rtp <percent>',
    'highest RTP that a mode of a game may have; a game that returns more is refused',
  ).argParser(parsePercent);
  return withDefault(option, {
    variable: 'ROUNDHOUSE_MAX_RTP',
    text: readEnvironment().maxRtp,
    fallback: DEFAULT_PERCENT,
  });
}

function parsePercent(text: string): number {
  const percent = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || percent <= 0)
    throw new InvalidArgumentError('A percentage above 0, for example 97.5.');
  return percent;
}
