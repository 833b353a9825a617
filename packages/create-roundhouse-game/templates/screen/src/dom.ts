type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Name]>;

/** Makes an element. Texts among the children are never read as HTML. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Returns a picture with its name for those who do not see it. */
export function named(picture: HTMLCanvasElement, name: string): HTMLCanvasElement {
  picture.role = 'img';
  picture.ariaLabel = name;
  return picture;
}

/** Returns a table with a row of names above it. One that is too wide for the page scrolls. */
export function table(names: readonly (Node | string)[], rows: readonly (readonly (Node | string)[])[]): HTMLElement {
  const head = h('tr', {}, ...names.map((name) => h('th', { scope: 'col' }, name)));
  const lines = rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell))));
  return h('div', { className: 'table' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...lines)));
}
