import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type SignatureHeaders, type SignedCall, signatureIssue, signCall } from '../src/operator/signature.ts';
import { publishedVectors } from './publishedVectors.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/signature.md', import.meta.url), 'utf8');

type Headers = Record<string, string>;
type Request = { call: SignedCall & { body: string }; secret: string };
type RequestToSign = Request & { timestamp?: string; nonce?: string };
type RequestToCheck = Request & { headers: Headers; now: number };

/** How an example is run: its code, then what calls it for each request and prints JSON. */
type Language = {
  /** Returns what each request has become by the code of the example. */
  sign(requests: readonly RequestToSign[]): Headers[];
  check(requests: readonly RequestToCheck[]): boolean[];
};

/** Returns the code of an example: that of the section, with this label. */
function exampleOf(section: 'To sign' | 'To check', label: string): string {
  const [, text = ''] = DOCUMENT.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const blocks = [...own.matchAll(/^```\w+ \[(.*)\]\n([\s\S]*?)^```$/gm)];
  const [, , code = ''] = blocks.find(([, name]) => name === label) ?? [];
  expect(code, `${section}: ${label}`).not.toBe('');
  return code;
}

const run = (program: string, args: readonly string[]) => execFileSync(program, args, { encoding: 'utf8' });

const asOneObject = ({ call, secret, ...rest }: RequestToSign) => ({ ...call, secret, ...rest });
const withSecrets = ({ call, secret, ...rest }: RequestToCheck) => ({ ...call, secrets: ['another', secret], ...rest });

/** Returns a language whose program gets the requests as JSON, in its first argument. */
function language(
  label: string,
  { runCode, sign, check }: { runCode: (code: string, json: string) => string; sign: string; check: string },
): Language {
  const withCode = (section: 'To sign' | 'To check', end: string, requests: readonly object[]) =>
    JSON.parse(runCode(`${exampleOf(section, label)}\n${end}`, JSON.stringify(requests)));
  return {
    sign: (requests) => withCode('To sign', sign, requests.map(asOneObject)),
    check: (requests) => withCode('To check', check, requests.map(withSecrets)),
  };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A shell has no JSON: each request is a line of code, and each line of output is a fact. */
const shell: Language = {
  sign(requests) {
    const lines = requests.map(({ call: { direction, method, path, body }, secret, timestamp = '', nonce = '' }) =>
      ['sign', ...[secret, direction, method, path, body, timestamp, nonce].map(quoted)].join(' '),
    );
    const facts = run('sh', ['-c', [exampleOf('To sign', 'openssl'), ...lines].join('\n')])
      .trim()
      .split('\n');
    return requests.map((_, index) =>
      Object.fromEntries(facts.slice(index * 3, index * 3 + 3).map((fact) => fact.split(': ', 2))),
    );
  },
  check(requests) {
    const lines = requests.map(({ call: { direction, method, path, body }, secret, headers, now }) => {
      const given = ['timestamp', 'nonce', 'signature'].map((name) => headers[`x-roundhouse-${name}`] ?? '');
      const words = [secret, direction, method, path, body, ...given, String(now)].map(quoted);
      return `is_signed ${words.join(' ')} && echo true || echo false`;
    });
    const code = [exampleOf('To sign', 'openssl'), exampleOf('To check', 'openssl'), ...lines];
    return run('sh', ['-c', code.join('\n')])
      .trim()
      .split('\n')
      .map((fact) => fact === 'true');
  },
};

const LANGUAGES: [label: string, language: Language][] = [
  [
    'JavaScript',
    language('JavaScript', {
      runCode: (code, json) => run(process.execPath, ['--input-type=module', '-e', code, json]),
      sign: 'console.log(JSON.stringify(JSON.parse(process.argv[1]).map(sign)));',
      check: 'console.log(JSON.stringify(JSON.parse(process.argv[1]).map(isSigned)));',
    }),
  ],
  ['openssl', shell],
  [
    'Python',
    language('Python', {
      runCode: (code, json) => run('python3', ['-c', `import json, sys\n${code}`, json]),
      sign: "print(json.dumps([sign(**{**each, 'body': each['body'].encode()}) for each in json.loads(sys.argv[1])]))",
      check:
        "print(json.dumps([is_signed(**{**each, 'body': each['body'].encode()}) for each in json.loads(sys.argv[1])]))",
    }),
  ],
  [
    'PHP',
    language('PHP', {
      runCode: (code, json) => run('php', ['-r', code.replace('<?php\n', ''), json]),
      sign: 'echo json_encode(array_map(fn ($each) => sign(...$each), json_decode($argv[1], true)));',
      check: 'echo json_encode(array_map(fn ($each) => isSigned(...$each), json_decode($argv[1], true)));',
    }),
  ],
];

const lowerCase = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const vectors = publishedVectors().map(({ call, ...vector }) => ({
  ...vector,
  call: { ...call, body: String(call.body) },
}));

/**
 * These requests are signed rightly, and refused for their time, their nonce or a missing header.
 */
function edgeCases(): RequestToCheck[] {
  const call = { direction: 'to-operator', method: 'POST', path: '/debit', body: '{}' } as const;
  const [secret, nowSeconds] = ['key', 1_795_262_400];
  const signed = (nonce: string, seconds = nowSeconds) =>
    lowerCase({ ...signCall(call, { secret, nowSeconds: seconds, nonce }) });
  const nonce = 'c2b1f7d0e4a95836';
  const good = signed(nonce);
  const moved = [-301, -300, 300, 301].map((by) => signed(nonce, nowSeconds + by));
  const nonces = [nonce.slice(1), 'x'.repeat(65), `${nonce} `, `${nonce}é`].map((each) => signed(each));
  const without = Object.keys(good).map((name) => ({ ...good, [name]: '' }));
  const times = ['now', '-1', '1.5', '1795262400000', ' 1795262400'];
  const malformed = times.map((time) => ({ ...good, 'x-roundhouse-timestamp': time }));
  return [good, ...moved, ...nonces, ...without, ...malformed].map((headers) => ({
    ...{ call, secret, headers, now: nowSeconds },
  }));
}

describe('the example of docs/signature.md with Ed25519 keys', () => {
  const [, text = ''] = DOCUMENT.split('\n## With Ed25519 keys\n');
  const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(text) ?? [];
  const vectors = publishedVectors('ed25519Vectors').map(({ call, ...vector }) => ({ ...vector, ...call }));
  const results = (name: 'sign' | 'isSigned', requests: readonly object[]) => {
    const end = `console.log(JSON.stringify(JSON.parse(process.argv[1]).map(${name})));`;
    return JSON.parse(
      run(process.execPath, ['--input-type=module', '-e', `${code}\n${end}`, JSON.stringify(requests)]),
    );
  };

  it('signs as the code does', () => {
    const requests = vectors.map(({ private: privateKey, ...vector }) => ({ ...vector, privateKey }));
    const signed: Headers[] = results('sign', requests);
    expect(signed.map((headers) => headers['X-Roundhouse-Signature'])).toEqual(
      vectors.map(({ private: secret, timestamp, nonce, ...call }) => {
        const headers = signCall(call, { secret, nowSeconds: Number(timestamp), nonce });
        return headers['x-roundhouse-signature'];
      }),
    );
  });

  it('tells which vectors hold', () => {
    const requests = vectors.map(({ public: publicKey, ...vector }) => ({ ...vector, publicKey }));
    expect(results('isSigned', requests)).toEqual(vectors.map(({ holds }) => holds));
  });
});

describe.each(LANGUAGES)('the examples of docs/signature.md in %s', (_, { sign, check }) => {
  it('sign the test vectors, and with their own time and nonce', () => {
    const [first] = vectors;
    if (first === undefined) throw new Error('there are no vectors');
    const { call, secret } = first;
    const signed = sign([
      ...vectors.map(({ call, secret, timestamp, nonce }) => ({ call, secret, timestamp, nonce })),
      { call, secret },
    ]);
    const signatures = signed.map((headers) => headers['X-Roundhouse-Signature']);
    expect(vectors.map(({ name }, index) => [name, signatures[index] === vectors[index]?.signature])).toEqual(
      vectors.map(({ name, holds }) => [name, holds]),
    );
    const headers = lowerCase(signed.at(-1) ?? {}) as SignatureHeaders;
    const nowSeconds = Math.floor(Date.now() / 1000);
    expect(signatureIssue(call, { headers, secrets: [secret], nowSeconds })).toBe(undefined);
  });

  it('tell which test vectors hold, and keep the window and the form of time and nonce', () => {
    const ofVectors = vectors.map(({ call, secret, timestamp, nonce, signature }) => ({
      ...{ call, secret, now: Number(timestamp) },
      headers: {
        'x-roundhouse-timestamp': timestamp,
        'x-roundhouse-nonce': nonce,
        'x-roundhouse-signature': signature,
      },
    }));
    expect(check(ofVectors)).toEqual(vectors.map(({ holds }) => holds));
    const edges = edgeCases();
    const issues = edges.map(({ call, secret, headers, now }) =>
      signatureIssue(call, { headers, secrets: [secret], nowSeconds: now }),
    );
    const holding = issues.filter((issue) => issue === undefined);
    expect(holding).toHaveLength(3);
    expect(check(edges)).toEqual(issues.map((issue) => issue === undefined));
  });
});
