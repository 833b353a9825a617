/** One file has the pictures as SVG text, because forty small requests would take longer. */
const FILES: Record<string, string> = import.meta.glob(
  ['../../assets/{symbols,fx,scene,ui}/*.svg', '!**/ui/favicon.svg', '!**/scene/mountains.svg', '!**/scene/sky.svg'],
  { query: '?raw', import: 'default', eager: true },
);

/** The key has folder and name: `symbols/H1`. */
export const ART_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([path, text]) => [path.replace(/^.*assets\/|\.svg$/g, ''), text]),
);
