type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Name]>;

/** Makes an element. Texts among the children never become HTML. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Returns a picture with its name for screen readers. */
export function named(picture: HTMLCanvasElement, name: string): HTMLCanvasElement {
  picture.role = 'img';
  picture.ariaLabel = name;
  return picture;
}

/** Returns a table with a row of headings. A table that is wider than the page scrolls. */
export function table(names: readonly (Node | string)[], rows: readonly (readonly (Node | string)[])[]): HTMLElement {
  const head = h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name)));
  const lines = rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))));
  return h('div', { className: 'table' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...lines)));
}
