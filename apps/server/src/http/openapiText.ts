import { ERROR_CODES, ERRORS, REFUSAL_ORDER } from '@roundhouse/contract';

export const GAME_TAG = 'Wallet and rounds';
export const REPLAY_TAG = 'Replay';
export const DEV_TAG = 'Local only';

export const TAGS = [
  { name: GAME_TAG, description: 'What a game calls.' },
  { name: REPLAY_TAG, description: 'A published outcome, shown again.' },
  { name: DEV_TAG, description: 'For local work with `roundhouse dev`. In production these paths do not exist.' },
] as const;

/** The introduction of the API description, in Markdown, with the error table and the order of refusal from the contract. */
export function apiDescription(): string {
  return [
    'A remote gaming server: it stands between a game and an operator’s wallet, opens and settles rounds.',
    '## Money',
    'Every amount is a whole number of micros: 1000000 is one currency unit. Always within ±9007199254740991.',
    '## Requests',
    'The body is one JSON object of at most 16 KiB, whatever its Content-Type says. Unknown fields are ignored. The session is named in the body; no other credential is used.',
    '## Errors',
    errorTable(),
    '### Order of refusal',
    'When several things are wrong, the first of this list is answered.',
    refusalList(),
  ].join('\n\n');
}

function errorTable(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning, retryable, retryAdvice } = ERRORS[code];
    return `| ${status} | ${code} | ${meaning} | ${retryable ? 'yes' : 'no'} | ${retryAdvice} |`;
  });
  return ['| Status | Code | Meaning | Send again? | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}

function refusalList(): string {
  return REFUSAL_ORDER.map(({ stage, code }, index) => `${index + 1}. ${code} (${stage})`).join('\n');
}
