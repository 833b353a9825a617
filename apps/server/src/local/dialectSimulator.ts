import { aggregatorOf, type LobbyGame, type Simulator, startSimulator } from '@roundhouse/aggregators';
import { isDialectName } from '@roundhouse/dialects';
import { StartError } from '@roundhouse/service';
import { makeSecret } from '../base/seal.ts';
import { changeOperator } from '../operators/settings/changeOperator.ts';
import { dialectChangeOf } from '../operators/settings/dialectChange.ts';
import type { Catalogue, GameVersion } from '../rounds/games/catalogue.ts';
import type { Database } from '../store/database/database.ts';

type SimulatorDeps = {
  db: Database;
  catalogue: Catalogue;
  /** The dialect's name, which is the code of its operator as well. */
  name: string;
  port: number;
  /** The server listens here. */
  serverUrl: string;
};

/**
 * Starts the simulator of a dialect with its lobby, and makes the operator whose wallet it is. Its
 * books and keys are new at each start.
 */
export async function startDialectSimulator({
  db,
  catalogue,
  name,
  port,
  serverUrl,
}: SimulatorDeps): Promise<Simulator> {
  const kit = aggregatorOf(name);
  if (kit === undefined || !isDialectName(name)) throw new StartError(`There is no simulator of dialect ${name}.`);
  // The port serves both. Over http the simulator needs no exception for a self-signed certificate.
  const supplierUrl = `${serverUrl.replace(/^https:/, 'http:')}/dialects/${name}`;
  const { aggregator } = kit;
  const simulator = await startSimulator({ aggregator, supplierUrl, port, lobby: lobbyOf(catalogue) }).catch(
    (error) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new StartError(`Port ${port} is in use: --dialect-port names another one for the simulator.`);
    },
  );
  // Most games have a bet level that a wallet of cents cannot pay.
  const dialect = dialectChangeOf(name, JSON.stringify({ ...simulator.settings, leaveOutBets: true }));
  const change = { name: `Simulator of ${name}`, walletUrl: simulator.url, dialect };
  const outcome = await changeOperator(db, { code: name, kind: 'add_or_set', change, makeSecret });
  if (outcome.ok) return simulator;
  await simulator.close();
  throw new StartError(
    `Operator ${name} of this data folder cannot have the simulator's wallet (${outcome.refusal.kind}): --fresh empties the folder.`,
  );
}

/** Each game is named once: of several versions the current one is played. */
function lobbyOf({ games }: Catalogue) {
  const current = [...new Map(games.map((game) => [game.gameID, game])).values()];
  const currencies = [...new Set(current.flatMap((game) => game.currencies))];
  return { currencies, games: current.map((game) => ({ gameID: game.gameID, title: game.title, bets: betsOf(game) })) };
}

function betsOf(game: GameVersion): LobbyGame['bets'] {
  const bets = game.currencies.flatMap((currency) => {
    const settings = game.betSettings(currency);
    if (settings === undefined) return [];
    return [[currency, { bet: settings.defaultBetLevel, levels: settings.betLevels }] as const];
  });
  return Object.fromEntries(bets);
}
