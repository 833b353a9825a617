import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { CleanUp } from '@roundhouse/service';
import { startChild } from './child.ts';
import { median } from './measureInTurn.ts';
import type { Bench } from './sections.ts';
import { addOperator, postJson, startRoundhouse } from './servers.ts';
import type { WalletJob } from './wallet.ts';

/** A step of a play: a request that one program sent to another one, or its response. */
export type TimelineStep = { step: string; ms: number };

const PLAYS_A_ROUND = 8;
/** The first plays find cold code. */
const WARM_UP_PLAYS = 10;
/** Enough for what follows the response: closings of lost rounds gather for half a second. */
const PAUSE_MS = 800;
const MODE = { amount: 1_000_000, mode: 'LOSE' };

/**
 * One play at a time with the instant wallet. This process stands between the server and the
 * others, and notes when each request and response passes: each passage costs about 0.1 ms. Returns
 * the median time of each step of most plays, in their order.
 */
export async function measureTimeline({ cleanUp, stage, options, say }: Bench): Promise<TimelineStep[]> {
  let steps: { name: string; step: string; atMs: number }[] = [];
  const note = (name: string) => {
    const times = 1 + steps.filter((each) => each.name === name).length;
    steps.push({ name, step: times === 1 ? name : `${name} (${times})`, atMs: performance.now() });
  };
  const wallet = startChild<WalletJob, { url: string }>(cleanUp, 'wallet');
  const walletUrl = await passage(cleanUp, (await wallet.run({ delayMs: 0 })).url, {
    nameOf: (chunk) => /^POST (\S+)/.exec(chunk.toString('latin1'))?.[1],
    isEnd: () => true,
    note,
  });
  const databaseUrl = await passage(cleanUp, stage.url, { nameOf: statementOf, isEnd: isReadyForQuery, note });
  const { folders } = stage;
  await addOperator(stage.db, 'timeline', walletUrl);
  const { url } = await startRoundhouse(cleanUp, {
    databaseUrl,
    folders,
    workers: options.workers,
    cpuProf: undefined,
  });
  const sessionID = 'timeline:player';
  await postJson(`${url}/wallet/authenticate`, { sessionID });
  const playOnce = () => postJson(`${url}/wallet/play`, { sessionID, ...MODE });
  for (let play = 0; play < WARM_UP_PLAYS; play += 1) await playOnce();
  await wait(PAUSE_MS);
  const plays: Map<string, number>[] = [];
  while (plays.length < PLAYS_A_ROUND * options.rounds) {
    steps = [];
    const startedMs = performance.now();
    await playOnce();
    note('response to the player');
    await wait(PAUSE_MS);
    plays.push(new Map(steps.map(({ step, atMs }) => [step, atMs - startedMs])));
  }
  say(`${plays.length} plays, one at a time`);
  return mostOf(plays);
}

function mostOf(plays: readonly Map<string, number>[]): TimelineStep[] {
  const names = [...new Set(plays.flatMap((steps) => [...steps.keys()]))];
  return names
    .map((step) => ({ step, times: plays.flatMap((steps) => steps.get(step) ?? []) }))
    .filter(({ times }) => times.length > plays.length / 2)
    .map(({ step, times }) => ({ step, ms: median(times) ?? 0 }))
    .sort((a, b) => a.ms - b.ms);
}

type Passage = {
  /** Of a request; undefined for one that is not noted. */
  nameOf(request: Buffer): string | undefined;
  isEnd(response: Buffer): boolean;
  note(step: string): void;
};

/** Returns the URL of the same server by way of this process. */
async function passage(cleanUp: CleanUp, url: string, { nameOf, isEnd, note }: Passage): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ noDelay: true }, (near) => {
    const far = net.connect({ host: hostname, port: Number(port), noDelay: true });
    let name: string | undefined;
    near.on('data', (chunk) => {
      name = nameOf(chunk) ?? name;
      if (name !== undefined) note(`${name} →`);
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (name !== undefined && isEnd(chunk)) {
        note(`← ${name}`);
        name = undefined;
      }
      near.write(chunk);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => other.destroy());
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUp.add(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return Object.assign(new URL(url), { port: (server.address() as AddressInfo).port }).href;
}

/** The prepared statement that a Bind message names. The statements of sweeps have no name. */
function statementOf(chunk: Buffer): string | undefined {
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    if (chunk[at] !== BIND) continue;
    // After the type and the length: the portal, which has no name, and the statement.
    const begin = chunk.indexOf(0, at + 5) + 1;
    return chunk.toString('latin1', begin, chunk.indexOf(0, begin)) || undefined;
  }
  return undefined;
}

const BIND = 'B'.charCodeAt(0);
const READY_BYTES = 6;

function isReadyForQuery(chunk: Buffer): boolean {
  return chunk.at(-READY_BYTES) === 'Z'.charCodeAt(0);
}
