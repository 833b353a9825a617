import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FleetFile, fleetOf, idRangeOf, readFleetFile } from '@roundhouse/fleet';
import { settleCell } from '../../../src/store/cells/settleCell.ts';
import { type Database, openDatabase } from '../../../src/store/database/database.ts';
import { migrate } from '../../../src/store/database/migrate.ts';
import type { Caller } from '../../operators/api/operatorClient.ts';
import { createTestDatabase } from '../../support/database.ts';
import { writeFixtureGame } from '../../support/fixtureGame.ts';
import { SECRETS_KEY, secretFile, succeed, temporaryFolder } from '../../support/roundhouse.ts';
import { type ChaosProcess, OPERATOR_CODE, startNode, startOperator, startRouter } from '../chaos/processes.ts';
import { WALLET_TIMEOUT_MS } from '../chaos/simulate.ts';
import { type Balancer, startBalancer } from './balancer.ts';

type CellSpec = { databaseUrl: string; nodes?: number };

/** A cell has the first number that is free, and its name is "cell-<number>". */
export type FleetCell = {
  number: number;
  name: string;
  databaseUrl: string;
  db: Database;
  nodes: readonly ChaosProcess[];
  /** Requests to this address go to a node that runs. */
  url: string;
  isOwnID(id: bigint): boolean;
};

export type FleetOptions = {
  cells: readonly CellSpec[];
  routers?: number;
  walletTimeoutMs?: number;
  /** Every node has these settings. */
  env?: NodeJS.ProcessEnv;
  routerEnv?: NodeJS.ProcessEnv;
};

export type ProcessFleet = Awaited<ReturnType<typeof startFleet>>;

/**
 * Starts cells, with a database and nodes each, and routers, each with its own fleet file. The
 * reference operator has players in all cells; it sends its launches to any router that runs.
 */
export async function startFleet({ cells: specs, walletTimeoutMs = WALLET_TIMEOUT_MS, env, ...options }: FleetOptions) {
  const folder = await temporaryFolder('fleet');
  const [game, operatorDatabase, toRouters] = await Promise.all([
    writeFixtureGame(),
    createTestDatabase(),
    startBalancer(),
  ]);
  const secret = randomBytes(32).toString('base64url');
  const caller: Caller = { code: OPERATOR_CODE, secret };
  const operator = await startOperator({ databaseUrl: operatorDatabase.url, rgsUrl: toRouters.url, secret });
  const wallet = ['--wallet-url', `${operator.url}/wallet`, '--wallet-timeout', String(walletTimeoutMs)];
  const addOperator = ['operator', 'add', OPERATOR_CODE, ...wallet, '--secret-file', await secretFile(secret)];
  const cells: FleetCell[] = [];
  const balancers: Balancer[] = [toRouters];
  const routers: ChaosProcess[] = [];
  let fleet: FleetFile = { version: 0, cells: [], placements: [] };

  const fileOf = (router: number) => path.join(folder, `fleet-${router}.yaml`);
  const writeFleet = (router: number) => writeFile(fileOf(router), JSON.stringify(fleet, undefined, 2));

  /** Makes the cells, which take new players from now on together with the earlier ones. */
  async function addCells(added: readonly CellSpec[]): Promise<void> {
    const places = await Promise.all(
      added.map(async (spec, place) => {
        const number = cells.length + place + 1;
        await migrate({ url: spec.databaseUrl });
        return { ...spec, number, name: `cell-${number}`, balancer: await startBalancer() };
      }),
    );
    const entries = places.map(({ name, number, databaseUrl, balancer }) => ({
      ...{ name, numbers: [number], databaseUrl, url: balancer.url },
    }));
    const named = [...fleet.cells, ...entries];
    fleet = {
      version: fleet.version + 1,
      cells: named,
      placements: [...fleet.placements, { cells: named.map(({ name }) => name) }],
    };
    await writeFleet(0);
    await settleAll();
    for (const { number, name, databaseUrl, nodes: count = 1, balancer } of places) {
      balancers.push(balancer);
      await succeed([...addOperator, '--free-rounds'], { env: { DATABASE_URL: databaseUrl } });
      const node = {
        databaseUrl,
        games: path.dirname(game.folder),
        data: game.storeFolder,
        env: { ...env, ROUNDHOUSE_PUBLIC_URL: balancer.url },
      };
      // One after the other: the first node of all indexes the books.
      const nodes: ChaosProcess[] = [];
      while (nodes.length < count) nodes.push(await startNode(node));
      balancer.setTargets(nodes);
      const { first, last } = idRangeOf(number);
      cells.push({
        ...{ number, name, databaseUrl, nodes, url: balancer.url },
        db: openDatabase({ url: databaseUrl, secretsKey: SECRETS_KEY }),
        isOwnID: (id) => id >= first && id <= last,
      });
    }
  }

  async function settleAll(): Promise<void> {
    const read = readFleetFile(fileOf(0), {});
    for (const cell of read.cells) await settleCell({ url: cell.databaseUrl, fleet: fleetOf(read), cell });
  }

  await addCells(specs);
  while (routers.length < (options.routers ?? 2)) {
    await writeFleet(routers.length);
    routers.push(await startRouter(fileOf(routers.length), options.routerEnv));
  }
  toRouters.setTargets(routers);
  return {
    ...{ cells, routers, operator, caller, addCells },
    /** The fleet file of the first router; commands use it as well. */
    file: fileOf(0),
    /** Requests to this address go to a router that runs. */
    url: toRouters.url,
    fleet: () => fleet,
    /** The router has the newest fleet after its next start. */
    writeFleet,
    async close(): Promise<void> {
      await Promise.all([operator, ...routers, ...cells.flatMap(({ nodes }) => nodes)].map((each) => each.kill()));
      await Promise.all(cells.map(({ db }) => db.$disconnect()));
      await Promise.all(balancers.map((balancer) => balancer.close()));
      await operatorDatabase.drop();
      await game.remove();
    },
  };
}
