import { html } from '../../base/htmlText.ts';
import { amountText } from '../../base/terminal/amountText.ts';
import { isWorthLittle } from '../../rounds/games/currencyScales.ts';
import type { SheetBets } from './gameSheet.ts';
import { table } from './sheetParts.ts';

/** Shows bet limits and levels, with a row for each set of currencies. */
export function betsSection(bets: readonly SheetBets[]): string {
  const rows = bets.map((row) => {
    const { minBet, maxBet, stepBet, defaultBetLevel, betLevels } = row.settings;
    const amount = (micros: number) => amountText(micros, row.currencies[0] ?? 'USD');
    const levels = betLevels.length === 0 ? 'any step' : betLevels.map(amount).join(' · ');
    return [
      html(currenciesText(row)),
      ...[minBet, maxBet, stepBet, defaultBetLevel].map(amount),
      `<small>${levels}</small>`,
    ];
  });
  return `<h2>Bets</h2>
${table(['currency', '#least', '#most', '#step', '#default', 'levels'], rows)}
<p class="note">Base bets, in units of the currency. A round costs the base bet × the cost of its mode.</p>
${bets.map(othersNote).join('')}`;
}

function currenciesText({ currencies, others }: SheetBets): string {
  if (others.length === 0) return currencies.join(', ');
  if (currencies.length === 0) return `${others.length} currencies`;
  return `${currencies.join(', ')} and ${others.length} other currencies`;
}

/** Lists the currencies that a row only counts. */
function othersNote({ others, settings }: SheetBets): string {
  const little = others.filter(isWorthLittle);
  const usual = others.filter((currency) => !isWorthLittle(currency));
  const [first] = little;
  return [
    usual.length > 0 && `<p class="note">Counted above: ${usual.join(', ')}.</p>\n`,
    first !== undefined &&
      `<p class="note">Counted above, and <strong>not scaled</strong>: in these a unit is worth less than 20 US cents, and bets have the same numbers, from ${amountText(settings.minBet, first)} ${first}: ${little.join(', ')}.</p>\n`,
  ]
    .filter(Boolean)
    .join('');
}
