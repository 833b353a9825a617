import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Dev,
  environment,
  freePort,
  preparedDataFolder,
  SAMPLE_GAME,
  startDev,
  stop,
  temporaryFolder,
} from '../support/roundhouse.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const DOCUMENT = readFileSync(path.join(ROOT, 'docs/operators.md'), 'utf8');
const COMMAND = readFileSync(path.join(ROOT, 'docs/command.md'), 'utf8');
const SIGNATURE = readFileSync(path.join(ROOT, 'docs/signature.md'), 'utf8');
const GAME = 'sample-lines';

/** The document's commands run here: a checkout, beside the data folder of dev. */
let checkout: string;
let dev: Dev;

beforeAll(async () => {
  checkout = await temporaryFolder('walk');
  for (const name of ['apps', 'docs']) await symlink(path.join(ROOT, name), path.join(checkout, name));
  const dataFolder = await preparedDataFolder('walk data');
  await symlink(dataFolder, path.join(checkout, '.roundhouse'));
  dev = await startDev(dataFolder, [SAMPLE_GAME]);
});
afterAll(() => stop(dev));

/** Returns how docs/command.md gives a shell the command in a checkout. */
function commandOfCheckout(): string {
  const [, lines = ''] = /^## In a checkout$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(COMMAND) ?? [];
  return lines;
}

/** Returns how docs/signature.md signs a launch in a shell. */
function signedLaunch(): string {
  const [, sign = ''] = /^```sh \[openssl\]\n(sign\(\)[\s\S]*?)^```$/m.exec(SIGNATURE) ?? [];
  const [, launch = ''] = /^```sh\n(body=[\s\S]*?)^```$/m.exec(SIGNATURE) ?? [];
  return `${sign}${launch.replace('"lines"', `"${GAME}"`)}`;
}

/**
 * Returns the command, then the shell blocks of "Connect a wallet". Of a block in several languages
 * it takes the one with this label.
 */
async function blocksOf(language: string): Promise<string[]> {
  const wallet = `http://127.0.0.1:${await freePort()}`;
  const ready = 'until curl -s -o /dev/null "$WALLET"; do sleep 0.1; done';
  const [, section = ''] = /^## Connect a wallet\n([\s\S]*?)^## /m.exec(DOCUMENT) ?? [];
  const blocks = [...section.matchAll(/^```sh(?: \[(.*)\])?\n([\s\S]*?)^```$/gm)];
  const steps = blocks.flatMap(([, label, code = '']) => (label === undefined || label === language ? [code] : []));
  return [commandOfCheckout(), ...steps].map((block) =>
    block
      .replace(/^RGS=\S+/m, `RGS=${dev.url}`)
      .replace(/^WALLET=\S+/m, `WALLET=${wallet}`)
      .replace(/^GAME=\S+/m, `GAME=${GAME}`)
      .replace(/^wallet &$/m, `wallet & ${ready}`),
  );
}

const END_OF_BLOCK = '\n--- end of block ---\n';

/** Runs the blocks in one shell. Returns what each has printed. */
async function walk(blocks: readonly string[]): Promise<string[]> {
  const script = blocks.map((block) => `${block}printf '${END_OF_BLOCK.replaceAll('\n', '\\n')}'\n`);
  // The shell gets its own process group, with the wallet that it starts.
  const shell = spawn('bash', ['-c', script.join('')], {
    cwd: checkout,
    // The wallet in PHP makes a file there.
    env: environment({ TMPDIR: checkout }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const [printed, issues] = [shell.stdout, shell.stderr].map((stream) => {
    const texts: string[] = [];
    stream.setEncoding('utf8').on('data', (text: string) => texts.push(text));
    return texts;
  });
  // It does not wait for "close": the wallet goes on with the shell's output.
  await once(shell, 'exit');
  const closed = once(shell, 'close');
  try {
    process.kill(-(shell.pid ?? 0), 'SIGKILL');
  } catch {
    // The walk has ended before it started a wallet: what it printed says why.
  }
  await closed;
  const outputs = printed?.join('').split(END_OF_BLOCK).slice(0, -1) ?? [];
  expect(outputs.length, `${printed?.join('')}${issues?.join('')}`).toBe(blocks.length);
  return outputs;
}

const CHECKED = /\n[5-9]\d passed, 0 failed, 0 not testable\.\n/;

it('docs/operators.md connects a wallet step by step', async () => {
  const blocks = [...(await blocksOf('JavaScript')), signedLaunch()];
  const outputs = await walk(blocks);
  /** Returns what the block with this text has printed. */
  const printedBy = (part: string) => outputs[blocks.findIndex((block) => block.includes(part))] ?? '';
  const linesOf = (part: string) => printedBy(part).trim().split('\n');

  expect(printedBy('wallet-check')).toMatch(CHECKED);
  const [games, launched] = linesOf('signed GET /operator/games').map((line) => JSON.parse(line));
  expect(games).toMatchObject({ games: [{ gameID: GAME }] });
  expect(launched.url).toContain(`${dev.url}/${GAME}/`);
  const [, betID = ''] = /"betID":(\d+)/.exec(printedBy('/wallet/end-round')) ?? [];
  const [rounds, round, statement, ...reconciled] = linesOf('BET_ID=');
  expect(JSON.parse(rounds ?? '')).toMatchObject({ rounds: [{ betID: Number(betID), state: 'settled' }] });
  const movements = [{ kind: 'debit' }, { kind: 'credit' }];
  expect(JSON.parse(round ?? '')).toMatchObject({ betID: Number(betID), movements });
  expect(statement).toBe(rounds);
  expect(reconciled).toEqual([
    expect.stringMatching(/^No difference from /),
    expect.stringMatching(/^2 wallet transactions here are younger than a minute, and were not compared\./),
  ]);
  expect(JSON.parse(outputs.at(-1) ?? '')).toMatchObject({ url: expect.stringContaining(`${dev.url}/${GAME}/`) });
  expect(printedBy('state=void')).toMatch(/ERR_GEN[\s\S]*"rounds":\[\{"betID":\d+,.*"state":"void"/);
});

it.each(['Python', 'PHP'])('docs/operators.md starts the wallet in %s, and checks it', async (language) => {
  const blocks = await blocksOf(language);
  // This leaves out the operator, which is there already, and ends with the check.
  const steps = blocks.slice(0, blocks.findIndex((block) => block.includes('wallet-check')) + 1);
  const outputs = await walk(steps.filter((block) => !block.includes('operator add')));
  expect(outputs.at(-1)).toMatch(CHECKED);
});
