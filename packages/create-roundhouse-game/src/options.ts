import { parseArgs } from 'node:util';

export const TEMPLATES = {
  pixi: 'reels and lines on PixiJS, with menu, rules, history, autoplay and sound',
  clusters: 'clusters that tumble on PixiJS, with a round to buy and all that pixi has',
  vanilla: 'reels and lines in plain TypeScript and DOM, minimal',
} as const;

export type TemplateName = keyof typeof TEMPLATES;

export type Options = {
  folder?: string;
  template?: TemplateName;
  id?: string;
  /** Players see this title. */
  name?: string;
  /** The command asks nothing: missing options take their defaults. */
  yes: boolean;
  install: boolean;
  /** A folder of tarballs, which are installed in place of the registry's packages. */
  packages?: string;
};

export type OptionsOutcome =
  | { kind: 'options'; options: Options }
  | { kind: 'text'; text: string }
  | { kind: 'refused'; reason: string };

const USAGE = `Usage: npm create roundhouse-game [folder] -- [options]

Makes a game for a Roundhouse server: math generator, front end and tests. Asks for what is not
given; without a terminal it takes the defaults.

  --template <name>   ${Object.entries(TEMPLATES)
    .map(([name, text]) => `${name}: ${text}`)
    .join(`\n${' '.repeat(22)}`)}
  --name <title>      what players see; by default the folder's name in words
  --id <id>           the game's id in launch URLs; by default the package's name
  -y, --yes           ask nothing
  --no-install        leave npm install to you
  --packages <folder> install Roundhouse's packages from the tarballs in this folder
  -h, --help          print this
  -v, --version       print the version`;

export function readOptions(args: readonly string[], version: string): OptionsOutcome {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'text', text: USAGE };
  if (values.version) return { kind: 'text', text: version };
  if (positionals.length > 1) return refused(`One folder at a time, not ${positionals.join(', ')}.`);
  const { template, id, name, packages } = values;
  if (template !== undefined && !isTemplate(template)) {
    return refused(`There is no template "${template}". There are: ${Object.keys(TEMPLATES).join(', ')}.`);
  }
  return {
    kind: 'options',
    options: {
      yes: values.yes ?? false,
      install: values.install ?? true,
      ...(positionals[0] !== undefined && { folder: positionals[0] }),
      ...(template !== undefined && { template }),
      ...(id !== undefined && { id }),
      ...(name !== undefined && { name }),
      ...(packages !== undefined && { packages }),
    },
  };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      template: { type: 'string' },
      id: { type: 'string' },
      name: { type: 'string' },
      yes: { type: 'boolean', short: 'y' },
      install: { type: 'boolean' },
      packages: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
}

function isTemplate(name: string): name is TemplateName {
  return Object.hasOwn(TEMPLATES, name);
}

function refused(reason: string): OptionsOutcome {
  return { kind: 'refused', reason };
}
