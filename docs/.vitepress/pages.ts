import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const DOCS = fileURLToPath(new URL('..', import.meta.url));

type SidebarItem = { text: string; link: string };

/** A page by its file without `.md`, named by its heading. A folder with a slash is its index. */
export function page(file: string): SidebarItem {
  const source = path.join(DOCS, `${file.endsWith('/') ? `${file}index` : file}.md`);
  // `vitepress dev` may run before the reference of the SDK has been written.
  const text = existsSync(source) ? readFileSync(source, 'utf8') : '';
  const [, heading = file] = /^# (.*)$/m.exec(text) ?? [];
  return { text: heading.replaceAll('`', ''), link: `/${file}` };
}

/** The pages of a folder of docs/, in the order of their names. */
export function pagesOf(folder: string): SidebarItem[] {
  return readdirSync(path.join(DOCS, folder))
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .sort()
    .map((file) => page(`${folder}/${file.replace(/\.md$/, '')}`));
}
