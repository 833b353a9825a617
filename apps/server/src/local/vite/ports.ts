/** A person has chosen the port; `setBy` says by what. */
export type ChosenPort = { port: number; setBy: string };

const MAX_PORT = 65_535;

/**
 * Returns the port that a variable of the environment names, 0 to 65535; undefined when it is not
 * set or empty. Throws on everything else.
 */
export function portOfVariable(name: string, env: NodeJS.ProcessEnv = process.env): ChosenPort | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= MAX_PORT) return { port, setBy: name };
  throw new Error(`${name} is "${text}"; a port is a whole number from 0 to ${MAX_PORT}.`);
}

/**
 * The port of the RGS follows that of the page, so that each of several games has a pair of ports.
 */
export function portBeside(pagePort: number): number {
  return pagePort < MAX_PORT ? pagePort + 1 : 0;
}
