/**
 * Node's own HMAC takes 3 µs where WebCrypto takes 100 µs and another thread, and a wallet request
 * has two. It is undefined in a browser, where no secret belongs. It is not imported, because
 * bundlers of pages that use the other parts of the contract would have to resolve it.
 */
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');

/** @throws Error in a browser. */
export function requireNode() {
  if (nodeCrypto === undefined) throw new Error('a signature needs node:crypto, which a browser does not have');
  return nodeCrypto;
}
