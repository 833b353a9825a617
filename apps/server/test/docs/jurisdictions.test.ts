import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  COMPARED_ON,
  type DescribedPreset,
  describePreset,
  PRESET_NAMES,
} from '../../src/operators/jurisdictions/presets.ts';

const DOCUMENT = fileURLToPath(new URL('../../../../docs/compliance/jurisdictions.md', import.meta.url));

const INTRODUCTION = `# Jurisdictions

A preset holds the rules of a place of play as [fields of the jurisdiction](../protocol.md#config) and
[limits of sessions](../operators.md). **The values are not legal advice: check them with your regulator before you
use them.** They were compared with their sources on ${COMPARED_ON}.

\`\`\`sh
roundhouse jurisdictions                                     # all presets; --json for tools
roundhouse operator set acme --jurisdiction-preset uk
roundhouse operator set acme --jurisdiction-preset uk --jurisdiction '{"realityCheckInterval":1800000}'
roundhouse operator set acme --jurisdiction-preset           # the strictest
\`\`\`

A preset replaces the operator's jurisdiction, and fields in \`--jurisdiction\` override it one by one; the command
lists which. No preset is set without the command. The operator keeps the values, not the name: a new version of
Roundhouse does not change operators. A field that a preset does not have keeps the game's value, and a launch or
the wallet may still give each session a value.

A \`primary\` source is the law or the regulator, which we read in their words; a \`secondary\` one is someone
else's account: check these first. The date is when the rule took effect, or when the text was published. Durations
are in milliseconds, stakes in micros, \`minimumRTP\` in percent.
`;

it('docs/compliance/jurisdictions.md has the presets: `--update` writes it anew', async () => {
  const sections = PRESET_NAMES.map(describePreset).map(sectionOf);
  await expect([INTRODUCTION, ...sections].join('\n')).toMatchFileSnapshot(DOCUMENT);
});

function sectionOf({ name, place, values, notes }: DescribedPreset): string {
  const isComputed = values.some((each) => 'from' in each);
  const sources = [...new Set(values.flatMap((each) => ('source' in each ? [each.source] : [])))];
  const header = isComputed ? ['field', 'value', 'from'] : ['field', 'value', 'rule', 'source'];
  const rows = values.map((each) => {
    const facts = [`\`${each.field}\``, `\`${JSON.stringify(each.value)}\``];
    if ('from' in each) return [...facts, each.from.map((from) => `\`${from}\``).join(', ')];
    return [...facts, each.rule, `${sources.indexOf(each.source) + 1}`];
  });
  const cited = sources.map(({ title, dated, kind, url }, index) => {
    const link = url === undefined ? title : `[${title}](${url})`;
    return `${index + 1}. ${link}, ${dated}, ${kind}\n`;
  });
  const lists = [cited, notes.map((note) => `- ${wrapped(note)}\n`)].filter((list) => list.length > 0);
  const heading = isComputed ? `\`${name}\`: ${place}` : `${place}: \`${name}\``;
  return [`## ${heading}\n`, tableOf([header, ...rows]), ...lists.map((list) => list.join(''))].join('\n');
}

/** Breaks an item of a list into lines of at most 116 columns. */
const wrapped = (note: string) => note.replace(/(.{1,114})(?: |$)/g, '$1\n  ').trimEnd();

/** Writes a table as the formatter of the documents does. */
function tableOf(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const padded = rows.map((row) => lineOf(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))));
  const rule = lineOf(widths.map((width) => '-'.repeat(width)));
  return [padded[0], rule, ...padded.slice(1)].join('');
}
