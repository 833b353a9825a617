import { VOLATILITY_CLASSES } from '@roundhouse/math';
import { html } from '../../base/htmlText.ts';
import { brandLogo, brandStyle } from '../brand.ts';
import { betsSection } from './betsSection.ts';
import type { GameSheet, SheetMode } from './gameSheet.ts';
import { jurisdictionsSection } from './jurisdictionsSection.ts';
import { bytesText, count, oneIn, percent, table } from './sheetParts.ts';
import { SHEET_STYLE } from './sheetStyle.ts';

/** Returns the sheet as a page: one file, no script, nothing from elsewhere. */
export function sheetPage(sheet: GameSheet): string {
  const { title, gameID, version, made } = sheet;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${html(title)}: game sheet</title>
<style>${brandStyle()}${SHEET_STYLE}
</style>
${headerOf(sheet)}
${figuresOf(sheet)}
${modesSection(sheet)}
${betsSection(sheet.bets)}
<div class="columns">
${languagesSection(sheet)}
${sizesSection(sheet)}
</div>
${jurisdictionsSection(sheet.jurisdictions)}
${commitmentsSection(sheet)}
${hashesSection(sheet)}
<footer>${html(gameID)} ${html(version)}. Made by Roundhouse ${html(made.by)} on ${made.at.toISOString().slice(0, 10)} from the published files.
Figures are computed from the whole lookup tables, not simulated. This sheet is no certificate.</footer>
</html>
`;
}

function headerOf({ title, gameID, version, thumbnail }: GameSheet): string {
  const picture = thumbnail === undefined ? '' : `<img src="${html(thumbnail)}" alt="">\n`;
  return `<header>
${picture}<div><p class="kicker">${brandLogo()}Game sheet</p>
<h1>${html(title)}</h1>
<p>${html(gameID)}, version ${html(version)}</p></div>
</header>`;
}

/** Shows the first mode that index.json names. */
function figuresOf({ modes, files }: GameSheet): string {
  const [mode] = modes as [SheetMode];
  const load = files.firstLoad;
  const figures = [
    ['RTP', percent(mode.rtp), `of ${mode.name}`],
    [
      'Volatility',
      mode.volatility.replace(/^./, (letter) => letter.toUpperCase()),
      `deviation ${mode.standardDeviation.toFixed(2)}`,
    ],
    ['Hit rate', percent(mode.hitRate, 1), mode.hitRate > 0 ? oneIn(1 / mode.hitRate) : 'never'],
    ['Maximum win', `${count(Number(mode.maxWin))}×`, `of the bet, ${oneIn(mode.maxWinOneIn)}`],
    load === undefined
      ? ['Books', count(modes.reduce((sum, each) => sum + each.books, 0)), 'no front end here']
      : ['First load', bytesText(load.sentBytes), 'with gzip'],
  ];
  const cells = figures.map(([name = '', value = '', more = '']) => {
    return `<div><dt>${name}</dt><dd>${html(value)}</dd><dd>${html(more)}</dd></div>`;
  });
  return `<dl class="figures">\n${cells.join('\n')}\n</dl>`;
}

function modesSection({ modes, warnings }: GameSheet): string {
  const rows = modes.map((mode) => [
    `${html(mode.name)}${mode.feature ? '<br><small class="whole">bought feature</small>' : ''}`,
    `${html(mode.cost)}×`,
    percent(mode.rtp),
    `${percent(mode.hitRate)}<br><small>${mode.hitRate > 0 ? oneIn(1 / mode.hitRate) : 'never'}</small>`,
    `${mode.standardDeviation.toFixed(2)}<br><small>${mode.volatility}</small>`,
    `${count(Number(mode.maxWin))}× of the bet${costsMore(mode) ? `<br><small>${count(Number(mode.maxWin) / Number(mode.cost))}× of the cost</small>` : ''}`,
    oneIn(mode.maxWinOneIn),
    count(mode.books),
  ]);
  const classes = VOLATILITY_CLASSES.map(({ name, from }, place) => (place === 0 ? name : `${name} from ${from}`));
  const notes = warnings.map(
    ({ mode, message }) => `<li>${html(mode === undefined ? message : `${mode}: ${message}`)}</li>`,
  );
  return `<h2>Modes</h2>
${table(['mode', '#cost, of the bet', '#RTP', '#hit rate', '#standard deviation', '#maximum win', '#its odds', '#books'], rows)}
<p class="note">The standard deviation is that of payout ÷ cost. It gives the volatility: ${classes.join(', ')}.</p>
${notes.length === 0 ? '' : `<p class="note">A reviewer would ask about:</p>\n<ul class="note">${notes.join('')}</ul>`}`;
}

function costsMore({ cost }: SheetMode): boolean {
  return Number(cost) !== 1;
}

function languagesSection({ languages, files }: GameSheet): string {
  const missing =
    files.frontend.length === 0
      ? 'There is no front end among these files.'
      : 'The game does not declare its languages (`languages` in game.json).'.replaceAll('`', '');
  const text = languages === undefined ? missing : `${languages.length}: ${languages.join(', ')}.`;
  return `<section><h2>Languages</h2>\n<p>${html(text)}</p></section>`;
}

function sizesSection({ files }: GameSheet): string {
  const { math, frontend, firstLoad } = files;
  const sum = (list: readonly { bytes: number }[]) => list.reduce((total, { bytes }) => total + bytes, 0);
  const row = (name: string, list: readonly { bytes: number }[]) => [name, count(list.length), bytesText(sum(list))];
  const rows = [row('math', math), ...(frontend.length === 0 ? [] : [row('front end', frontend)])];
  if (firstLoad !== undefined) {
    const sent = `${bytesText(firstLoad.bytes)}<br><small>${bytesText(firstLoad.sentBytes)} with gzip</small>`;
    rows.push(['first load', count(firstLoad.files), sent]);
  }
  const elsewhere = firstLoad?.elsewhere ?? [];
  const note =
    firstLoad === undefined
      ? ''
      : `<p class="note">The first load is the page, what its tags name, and the modules that these import. What scripts load later is not in it.${
          elsewhere.length === 0 ? '' : ` Loaded from elsewhere: ${html(elsewhere.join(', '))}.`
        }</p>`;
  return `<section><h2>Sizes</h2>\n${table(['part', '#files', '#size'], rows)}\n${note}</section>`;
}

function commitmentsSection({ modes }: GameSheet): string {
  const rows = modes.flatMap(({ name, files, merkleRoot, books, totalWeight }) => [
    [`${html(name)}: SHA-256 of ${html(files.table.name)}`, files.table.sha256],
    [`${html(name)}: Merkle root of ${count(books)} rows, total weight ${totalWeight}`, merkleRoot],
  ]);
  return `<h2>Commitments to the lookup tables</h2>
${table([], rows, 'hashes')}
<p class="note">A player checks provably fair draws against them. roundhouse verify and the operator API show the same.</p>`;
}

function hashesSection({ files, sha256 }: GameSheet): string {
  const groups = [
    { folder: '', list: files.gameFile === undefined ? [] : [files.gameFile] },
    { folder: 'math/', list: files.math },
    { folder: 'frontend/', list: files.frontend },
  ];
  const rows = groups.flatMap(({ folder, list }) => list.map((file) => [html(folder + file.name), file.sha256]));
  return `<h2>SHA-256 of the files</h2>
${table([], [['all math, as roundhouse verify prints it', sha256], ...rows], 'hashes')}`;
}
