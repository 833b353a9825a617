import type { GameRouteName } from '@roundhouse/contract';
import { errorResponse, notFoundResponse } from '../../base/http/responses.ts';
import type { PastRound } from '../../ledger/commands.ts';

/** These public repositories were read on 30 November 2026. */
export const SOURCES = {
  docs: 'https://github.com/StakeEngine/docs/tree/fefadc7bd117f8e06f0a01e750408da2244f8d8f/src/routes/docs',
  math: 'https://github.com/StakeEngine/math-sdk/blob/63e9cc61fb7638748771b10dcc70bb812bac04d4',
  client: 'https://github.com/StakeEngine/ts-client/blob/df9e126d79b3fe1ef353f4fac9c1699cd79a4d3e',
  kit: 'https://github.com/StakeEngine/web-sdk/blob/4a1de680428134c9f312bad2b26948331c797d40/packages',
  game: 'https://github.com/thetripitaka/candy-cluster/blob/f1ad7d83ae32409a9f921c277014df0ea40752d9',
  'another game': 'https://github.com/Bengi-Bankz/ui-good/blob/51f20b51bf8e84cb7f972d4d5013a0994a20a6bc',
  guide: 'https://github.com/skylog/stake-engine-rules/blob/23cc306581394af68c26f1bc36e4bcd635280ab9',
} as const;

/** These facts are known before a request is handled. */
type Asked = {
  /** This round of the player is the newest in this game and currency. */
  newest: Pick<PastRound, 'endedAt' | 'payout'> | undefined;
  /** The math says that play completes a lost round of that mode. */
  closesLost: boolean;
};

/** The differences read this part of a body of authenticate. */
type Answer = { round: { active?: boolean; payout?: number } | null; config: object };

export type Difference = {
  id: string;
  requests: readonly [GameRouteName, ...GameRouteName[]];
  ours: string;
  theirs: string;
  /** Each is a source and a path in it. */
  sources: readonly `${keyof typeof SOURCES}:${string}`[];
  certainty: 'documented' | 'seen in public clients' | 'not known';
  /** Engine refuses these requests. Without this and `answer`, strict mode keeps our response. */
  refusal?: { when: (asked: Asked) => boolean; response: { status: number; body: unknown } };
  answer?: (ours: Answer) => Answer;
};

const NOTHING_TO_END = errorResponse('ERR_VAL', 'player does not have active bet');
const isOpen = ({ newest }: Asked) => newest?.endedAt === null;

/** Where Roundhouse is more generous than Engine's server. docs/parity.md is made of these rows. */
export const DIFFERENCES: readonly Difference[] = [
  {
    id: 'end-round-closed',
    requests: ['endRound'],
    ours: '200 with the balance when the last round has ended',
    theirs: '400 `ERR_VAL`, `player does not have active bet`',
    sources: ['client:src/client.ts', 'game:src/rgs/rgsClient.ts', 'guide:RULES.md'],
    certainty: 'seen in public clients',
    refusal: { when: ({ newest }) => newest?.endedAt instanceof Date, response: NOTHING_TO_END },
  },
  {
    id: 'end-round-lost',
    requests: ['endRound'],
    ours: '200 for a lost round that `autoClose: false` of `game.json` leaves active',
    theirs: 'refused as above: play completes a lost round, unless the math has `auto_close_disabled`',
    sources: ['docs:api/end-round', 'docs:math-sdk/setup/betmode'],
    certainty: 'documented',
    refusal: {
      when: (asked) => isOpen(asked) && asked.newest?.payout === 0 && asked.closesLost,
      response: NOTHING_TO_END,
    },
  },
  {
    id: 'play-active',
    requests: ['play'],
    ours: '400 `ERR_VAL`, `a round is active`; but a repeat with its `Idempotency-Key` is 200 with the round',
    theirs:
      '400 `ERR_VAL`, `player has active bet`; no page or client names a key, so after the end a repeat may be another bet',
    sources: ['client:src/client.ts', 'another game:src/gameRoundHelper.ts', 'guide:RULES.md'],
    certainty: 'seen in public clients',
    refusal: { when: isOpen, response: errorResponse('ERR_VAL', 'player has active bet') },
  },
  {
    id: 'event-without-round',
    requests: ['event'],
    ours: '400 `ERR_VAL`',
    theirs: 'a round has to be in progress; the response without one is not public',
    sources: ['docs:api/event'],
    certainty: 'not known',
  },
  {
    id: 'amount',
    requests: ['play'],
    ours: '`ERR_VAL` off `stepBet`; 4099999.9999999995 (4.1 × 1,000,000 in doubles) is 4100000',
    theirs: 'an integer, divisible by `stepBet`; the kit sends such doubles, with what result is not public',
    sources: ['math:docs/rgs_docs/RGS.md', 'kit:rgs-requests/src/rgs-requests.ts'],
    certainty: 'not known',
  },
  {
    id: 'mode-spelling',
    requests: ['play'],
    ours: 'upper and lower case do not matter',
    theirs: 'the kit sends `BASE` where the math tool publishes `base`; whether each spelling plays is not public',
    sources: ['kit:state-shared/src/stateBet.svelte.ts', 'math:games/0_0_lines/game_config.py'],
    certainty: 'not known',
  },
  {
    id: 'round-null',
    requests: ['authenticate'],
    ours: '`round` is `{}` before the first play, and the lost round after a loss',
    theirs: '`round` is `null` in both cases',
    sources: ['docs:api/authenticate', 'docs:api/end-round'],
    certainty: 'documented',
    answer: (ours) => (ours.round?.active || ours.round?.payout ? ours : { ...ours, round: null }),
  },
  {
    id: 'bet-modes',
    requests: ['authenticate'],
    ours: '`config.betModes` has each mode with its cost',
    theirs: '`config.betModes` is `{}` in each public response',
    sources: ['docs:api/authenticate', 'kit:components-shared/src/components/Authenticate.svelte'],
    certainty: 'seen in public clients',
    answer: (ours) => ({ ...ours, config: { ...ours.config, betModes: {} } }),
  },
  {
    id: 'more-requests',
    requests: ['history', 'grants'],
    ours: '200',
    theirs: 'not among the requests of the API',
    sources: ['docs:api'],
    certainty: 'documented',
    refusal: { when: () => true, response: notFoundResponse('there is nothing at this path') },
  },
];
