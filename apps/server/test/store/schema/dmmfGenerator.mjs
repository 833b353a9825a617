// This generator in Prisma's own protocol (JSON-RPC: requests on standard input, responses on
// standard error) writes down what Prisma reads in a schema. No other way to the whole data model
// works without a download of an engine.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'generate') writeFileSync(params.generator.output.value, JSON.stringify(params.dmmf.datamodel));
  const result =
    method === 'getManifest' ? { manifest: { prettyName: 'data model', defaultOutput: './datamodel.json' } } : null;
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
