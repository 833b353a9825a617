import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeHmac, webHmac } from './hmac.ts';

const bodies = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array().map((bytes) => Uint8Array.from(bytes)),
);

it('Node’s own HMAC and that of WebCrypto are the same, and each verifies the other’s', async () => {
  if (nodeHmac === undefined) throw new Error('this is not Node');
  const [node, secrets] = [nodeHmac, fc.string({ unit: 'grapheme', minLength: 1 })];
  await fc.assert(
    fc.asyncProperty(secrets, fc.string({ unit: 'grapheme' }), bodies, async (secret, text, body) => {
      const hex = await node.sign(secret, text, body);
      expect(hex).toBe(await webHmac.sign(secret, text, body));
      const mac = Uint8Array.from(Buffer.from(hex, 'hex'));
      const [wrong, short] = [mac.with(31, (mac[31] ?? 0) ^ 1) as typeof mac, mac.slice(1)];
      for (const hmac of [node, webHmac]) {
        expect(await hmac.verify(mac, secret, text, body)).toBe(true);
        expect(await hmac.verify(wrong, secret, text, body)).toBe(false);
        expect(await hmac.verify(short, secret, text, body)).toBe(false);
      }
    }),
  );
});
