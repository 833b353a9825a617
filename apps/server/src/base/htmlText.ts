/** The cells are HTML. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (name: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${name}>${cell}</${name}>`).join('')}</tr>\n`;
  return `<table>\n${line('th', head)}${rows.map((cells) => line('td', cells)).join('')}</table>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Escapes a text for elements and for attributes in double quotes. */
export const html = (text: string) => text.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);

/** Escapes a text of ours, in which code is between backticks. */
export const prose = (text: string) => html(text).replace(/`([^`]*)`/g, '<code>$1</code>');
