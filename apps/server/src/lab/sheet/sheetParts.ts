const BYTES_PER_MB = 1e6;
const BYTES_PER_KB = 1e3;

export function count(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

export function percent(fraction: number, decimals = 2): string {
  return `${(fraction * 100).toFixed(decimals)} %`;
}

export function oneIn(rounds: number): string {
  return `1 in ${rounds < 100 ? rounds.toFixed(2) : count(Math.round(rounds))}`;
}

export function bytesText(bytes: number): string {
  if (bytes >= BYTES_PER_MB) return `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
  return bytes >= BYTES_PER_KB ? `${Math.round(bytes / BYTES_PER_KB)} KB` : `${bytes} bytes`;
}

/** Cells are HTML. A heading that begins with # belongs to a column of numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], name?: string): string {
  const classOf = (column: number) => (head[column]?.startsWith('#') ? ' class="number"' : '');
  const cells = (tag: string, texts: readonly string[]) =>
    texts.map((text, column) => `<${tag}${classOf(column)}>${text}</${tag}>`).join('');
  const titles = head.map((title) => title.replace(/^#/, ''));
  const top = head.length === 0 ? '' : `<thead><tr>${cells('th', titles)}</tr></thead>\n`;
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>\n`).join('');
  return `<table${name === undefined ? '' : ` class="${name}"`}>\n${top}<tbody>${body}</tbody></table>`;
}
