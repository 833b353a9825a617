import { createRequire } from 'node:module';
import { learnCurrency } from '@roundhouse/contract';
import { runUntilStopped, StartError } from '@roundhouse/service';
import { Command } from 'commander';
import { withOutput } from '../../base/terminal/output.ts';
import { gameSheet } from '../../lab/sheet/gameSheet.ts';
import { sheetPage } from '../../lab/sheet/sheetPage.ts';
import { readGameFile } from '../../rounds/games/gameFile.ts';
import { loadGame } from '../../rounds/games/loadGame.ts';
import { createLoadingView, issuesText, makeTemporaryStore } from '../../rounds/games/loadGames.ts';
import { locateGame } from '../../rounds/games/locateGame.ts';
import { configuredCurrencies } from '../options/currencies.ts';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

export function sheetCommand(): Command {
  return new Command('sheet')
    .description(
      'Writes one HTML page, to be printed on A4: RTP, volatility, hit rate, maximum win, modes, bets, languages, sizes, SHA-256 of the files, ' +
        'and which presets of jurisdictions the game satisfies. It loads nothing from elsewhere and has no script.',
    )
    .argument('<folder>', 'a game, or published files')
    .option('--out <file>', 'file to write; standard output when left out')
    .action(sheet);
}

function sheet(folder: string, { out }: { out?: string }): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const storeFolder = await makeTemporaryStore(cleanUp);
    const currencies = configuredCurrencies();
    for (const currency of currencies) learnCurrency(currency);
    const view = createLoadingView(process.stderr);
    const loaded = await loadGame({ folder, storeFolder, currencies, signal, onProgress: view.show }).finally(view.end);
    const found = await locateGame(folder);
    if (!loaded.ok || found === undefined) throw new StartError(loaded.ok ? `${folder}: no game` : issuesText(loaded));
    const { game } = loaded;
    cleanUp.add(() => game.math.close());
    const gameFile = found.gameFile === undefined ? undefined : await readGameFile(found.gameFile);
    const made = { at: new Date(), by: version };
    const page = sheetPage(await gameSheet({ found, game, gameFile: gameFile?.ok ? gameFile.value : undefined, made }));
    await withOutput(out, ({ write }) => write(page));
    if (out !== undefined) console.log(`Open ${out} in a browser, and print it.`);
  });
}
