/** Maps each sample of a report, with its labels, to its value. */
export type Samples = ReadonlyMap<string, number>;

/** Reads /metrics of a server in the text format. */
export async function readSamples(url: string): Promise<Samples> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('roundhouse_'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Returns by how much each of the samples has grown; one that was not there before was 0. */
export function growth(before: Samples, after: Samples, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)]));
}
