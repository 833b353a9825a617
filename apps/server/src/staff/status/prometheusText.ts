export type Sample = { name: string; labels: Record<string, string>; value: number };

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?[ \t]+(\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/**
 * Reads the samples of metrics in the text format of Prometheus or of OpenMetrics. It leaves out
 * comments, times and exemplars, and each line that is not a sample.
 */
export function readSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, name, labels = '', number = ''] = SAMPLE.exec(line) ?? [];
    const value = numberOf(number);
    return name === undefined || value === undefined ? [] : [{ name, labels: labelsOf(labels), value }];
  });
}

function labelsOf(text: string): Record<string, string> {
  const labels = [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescaped(value)]);
  return Object.fromEntries(labels);
}

function unescaped(text: string): string {
  return text.replace(/\\./g, (escaped) => ESCAPED[escaped] ?? escaped);
}

function numberOf(text: string): number | undefined {
  if (/^\+?Inf$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^-Inf$/i.test(text)) return Number.NEGATIVE_INFINITY;
  const value = Number(text);
  return Number.isNaN(value) && text !== 'NaN' ? undefined : value;
}
