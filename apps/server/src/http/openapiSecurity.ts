/** The headers of a signed call (docs/signature.md). An operator names itself beside them; the server is the only one that calls a wallet. */
export const SECURITY_SCHEMES = {
  operator: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Operator',
    description: 'Code of the operator that calls, so that its secrets can be found.',
  },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Timestamp',
    description: 'Unix time in whole seconds, at most 300 from the clock of the other end.',
  },
  nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Nonce',
    description: '16 to 64 of A-Z, a-z, 0-9, "_" and "-", other ones in each call. It is signed.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Signature',
    description:
      '`v2=` and in lower-case hex HMAC-SHA256 with the shared secret over seven parts: `v2`; `to-rgs` in a call to the server, `to-operator` in one to the wallet; the timestamp; the nonce; the method in upper case; the path with its query, as sent, below the base URL; each of these six with a line feed behind it; then the raw bytes of the body, which may be none.',
  },
} as const;
