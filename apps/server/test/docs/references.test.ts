import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { allMetrics } from '../watch/metrics/allMetrics.ts';
import { DOCUMENTS, ROOT, textOf } from './documents.ts';

const COMMANDS = fileURLToPath(new URL('../../src/cli/commands/', import.meta.url));

/** Makes anchors of headings as the forge does. */
function anchorsOf(document: string): string[] {
  return [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('every link of the documents leads to a file and heading that exist', () => {
  const broken = DOCUMENTS.flatMap((document) => {
    const targets = [...textOf(document).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    return targets.flatMap(([target, file = '', anchor]) => {
      const linked = file === '' ? document : path.join(path.dirname(document), file);
      const holds = existsSync(path.join(ROOT, linked)) && (!anchor || anchorsOf(linked).includes(anchor));
      return holds ? [] : [`${document}: ${target}`];
    });
  });
  expect(broken).toEqual([]);
});

/** Returns the names of this form that are in a document and that nothing has. */
const unknownNames = (form: RegExp, isKnown: (name: string) => boolean) =>
  DOCUMENTS.flatMap((document) =>
    [...textOf(document).matchAll(form)].flatMap(([, name = '']) => (isKnown(name) ? [] : [`${document}: ${name}`])),
  );

it('every file that the documents name exists', () => {
  const file = /`((?:apps|packages|docs|games|e2e|scripts|deploy)\/[\w./-]+)`/g;
  expect(unknownNames(file, (name) => existsSync(path.join(ROOT, name)))).toEqual([]);
});

/** Documents about the files of this repository: they may name one by the end of its path. */
const ABOUT_FILES = [
  ...['ARCHITECTURE.md', 'docs/contributing.md', 'packages/dialects/README.md', 'packages/aggregators/README.md'],
  ...readdirSync(path.join(ROOT, 'apps/server/src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `apps/server/src/${name}/README.md`),
];

it('every file and folder that the lists of files name exists', () => {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], options).split('\n');
  const missing = ABOUT_FILES.flatMap((document) => {
    const names = textOf(document).matchAll(/`(?!@?roundhouse\/)([\w@<][\w@<>{},.-]*(?:\/[\w<>{},.-]+)*)\/?`/g);
    return [...names].flatMap(([, name = '']) => {
      const isFile = /\.(?:tsx?|[cm]?js|sql|prisma|json|yaml|md|css)$/.test(name);
      if (!isFile && !name.includes('/')) return [];
      const isNamed = new RegExp(`(^|/)${patternOf(name)}${isFile ? '$' : '/'}`);
      return files.some((file) => isNamed.test(file)) ? [] : [`${document}: ${name}`];
    });
  });
  expect(missing).toEqual([]);
});

/** Returns the pattern of a path in which `<name>` is any name, and `{a,b}` one of these. */
const patternOf = (name: string) =>
  name
    .replaceAll('.', '\\.')
    .replace(/<\w+>/g, '[^/]+')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);

it('every metric that the documents name exists', () => {
  const names = new Set(allMetrics().map(({ name }) => name));
  const isKnown = (name: string) => names.has(name) || names.has(name.replace(/_(bucket|sum|count)$/, ''));
  expect(unknownNames(/\b(roundhouse_\w+)/g, isKnown)).toEqual([]);
});

it('the page on personal data names each table with a player, a person or an address', () => {
  const models = textOf('apps/server/prisma/schema.prisma').matchAll(/^model \w+ \{\n([\s\S]*?)^\}/gm);
  const ofPeople = [...models].flatMap(([, fields = '']) => {
    const isOfPeople = /^ {2}(playerId|accountId|roundId|userId|email|ipAddress|actor|requestedBy)\b/m;
    const [, table = ''] = /@@map\("(\w+)"\)/.exec(fields) ?? [];
    return isOfPeople.test(fields) && !table.startsWith('archived_') ? [table] : [];
  });
  expect(ofPeople).toContain('wallet_transactions');
  const page = textOf('docs/personal-data.md');
  expect(ofPeople.filter((table) => !page.includes(`\`${table}\``))).toEqual([]);
});

it('every npm script that the documents name exists', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  // `dev` is a script of the reader's own Vite project.
  const isKnown = (name: string) => name === 'dev' || name in scripts;
  expect(unknownNames(/npm run (?:--silent )?([a-z][a-z:-]*)/g, isKnown)).toEqual([]);
});

/** Returns every command of `roundhouse`, by its words, with its long options. */
async function knownCommands(): Promise<Map<string, Set<string>>> {
  const known = new Map<string, Set<string>>();
  const add = (command: Command, words: string[]) => {
    const options = command.options.flatMap(({ long }) => long ?? []);
    known.set([...words, command.name()].join(' '), new Set([...options, '--help']));
    for (const each of command.commands) add(each, [...words, command.name()]);
  };
  for (const file of readdirSync(COMMANDS)) {
    const exported = Object.values((await import(path.join(COMMANDS, file))) as Record<string, unknown>);
    for (const make of exported) {
      const made = typeof make === 'function' && make.name.endsWith('Command') ? make() : undefined;
      if (made instanceof Command) add(made, []);
    }
  }
  return known;
}

it('every command and option that the documents name exists', async () => {
  const known = await knownCommands();
  const unknown = DOCUMENTS.flatMap((document) => {
    const code = [...textOf(document).matchAll(/^```sh(?: \[.*\])?\n([\s\S]*?)^```|`([^`\n]+)`/gm)];
    const lines = code.flatMap(([, block, inline = '']) => (block ?? inline).replaceAll('\\\n', ' ').split('\n'));
    const uses = lines.flatMap((line) => [
      ...line.matchAll(/(?:(?<![/\w.-])roundhouse|roundhouse\.js) ([a-z][^|;&#`]*)/g),
    ]);
    return uses.flatMap(([use, rest = '']) => {
      const [first = '', second = '', ...more] = rest.trim().split(/\s+/);
      const [words, args] = known.has(`${first} ${second}`) ? [`${first} ${second}`, more] : [first, [second, ...more]];
      const options = known.get(words);
      const isKnown = args.every((word) => !word.startsWith('--') || options?.has(word.replace(/=.*/, '')));
      return options !== undefined && isKnown ? [] : [`${document}: ${use}`];
    });
  });
  expect(unknown).toEqual([]);
});
