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
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Signature',
    description:
      '`v1=` and in lower-case hex HMAC-SHA256 with the shared secret over the timestamp, a full stop and the raw bytes of the body; a call without a body signs the empty one.',
  },
} as const;
