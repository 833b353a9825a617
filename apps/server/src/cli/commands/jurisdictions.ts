import { Command } from 'commander';
import {
  COMPARED_ON,
  type DescribedPreset,
  describePreset,
  PRESET_NAMES,
} from '../../operators/jurisdictions/presets.ts';

export function jurisdictionsCommand(): Command {
  return new Command('jurisdictions')
    .description(
      'What places of play demand, for `roundhouse operator set <code> --jurisdiction-preset <name>`. No legal advice: ' +
        'an operator checks the values with its regulator.',
    )
    .option('--json', 'print JSON', false)
    .action(({ json }: { json: boolean }) => {
      const presets = PRESET_NAMES.map(describePreset);
      if (json) console.log(JSON.stringify({ comparedOn: COMPARED_ON, presets }, null, 2));
      else console.log(`${presets.map(textOf).join('\n\n')}\n\nCompared with the sources on ${COMPARED_ON}.`);
    });
}

function textOf({ name, place, values, notes }: DescribedPreset): string {
  const rows = values.map((each) => [each.field, JSON.stringify(each.value), originOf(each)]);
  const width = (column: number) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)) + 2;
  const lines = rows.map(([field = '', value = '', origin]) =>
    [field.padEnd(width(0)), value.padEnd(width(1)), origin].join(''),
  );
  return [`${name}: ${place}`, ...[...lines, ...notes].map((line) => `  ${line}`)].join('\n');
}

function originOf(value: DescribedPreset['values'][number]): string {
  if ('from' in value) return `as ${value.from.join(', ')}`;
  const { title, dated, kind } = value.source;
  return `${value.rule}, ${title} (${dated}, ${kind})`;
}
