import os from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from '../../config.ts';
import { withDefault } from './options.ts';

const MAX_WORKERS = 64;

export function workersOption(): Option {
  const option = new Option(
    '--workers <number>',
    'processes that share the port; 1 serves in the first process itself',
  ).argParser(parseWorkers);
  const { workers: text } = readEnvironment();
  return withDefault(option, {
    variable: 'ROUNDHOUSE_WORKERS',
    text,
    // One core is for what stands around them; with two cores a second worker brings nothing (docs/performance.md).
    fallback: Math.max(1, Math.min(os.availableParallelism() - 1, MAX_WORKERS)),
  });
}

function parseWorkers(text: string): number {
  const workers = Number(text);
  if (!/^\d+$/.test(text) || workers < 1 || workers > MAX_WORKERS)
    throw new InvalidArgumentError(`A whole number of workers from 1 to ${MAX_WORKERS}.`);
  return workers;
}
