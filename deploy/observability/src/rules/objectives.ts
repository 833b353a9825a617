import { alert, type Rule, type RuleContext, type RuleGroup, type Severity } from './rule.ts';
import { DAY, HOUR, MINUTE } from './times.ts';

/** 50 of 100,000 plays may fail. */
const FAILED_BUDGET = 0.0005;
/** One of 100 accepted plays may take 250 ms or longer. */
const SLOW_BUDGET = 0.01;

/**
 * The least number of plays that must have failed or been slow. A single one at night wakes nobody.
 */
const FEWEST_PLAYS = 10;

/**
 * A play fails when its response is ERR_GEN, or when the node lacks the game's version. What the
 * player, the rules, a limit or planned maintenance refuse is not a failure. For the player a
 * wallet that is down is one, so the objective counts it; the label `cause` keeps the two apart.
 */
export const FAILED_RESULTS = {
  server: ['error', 'not_served', 'free_round', 'balance_overflow', 'nonce_moved'],
  operator: [
    'wallet_refused',
    'wallet_uncertain',
    'player_unconfirmed',
    'balance_unknown',
    'wallet_down',
    'round_settling',
    'game_not_offered',
  ],
} as const;

/**
 * The windows and burn rates of https://sre.google/workbook/alerting-on-slos/, table 5-8, with a
 * ticket more for a day. The short window ends an alert soon after its cause has ended.
 */
const BURNS = [
  { burn: 14.4, long: HOUR, short: 5 * MINUTE, severity: 'page' },
  { burn: 6, long: 6 * HOUR, short: 30 * MINUTE, severity: 'page' },
  { burn: 3, long: DAY, short: 2 * HOUR, severity: 'ticket' },
  { burn: 1, long: 3 * DAY, short: 6 * HOUR, severity: 'ticket' },
] as const satisfies { burn: number; long: number; short: number; severity: Severity }[];

/** The names of rules keep their windows, whatever the speed: dashboards read them. */
const WINDOWS = [
  ['5m', 5 * MINUTE],
  ['30m', 30 * MINUTE],
  ['1h', HOUR],
  ['2h', 2 * HOUR],
  ['6h', 6 * HOUR],
  ['1d', DAY],
  ['3d', 3 * DAY],
] as const;

const nameOf = (seconds: number) => WINDOWS.find(([, each]) => each === seconds)?.[0];

/** Has the shares of plays that fail and that are slow, over each window. */
export function objectives({ times }: RuleContext): RuleGroup {
  const rules = WINDOWS.flatMap(([name, seconds]): Rule[] => {
    const range = times.range(seconds);
    const plays = `sum by (cell) (increase(roundhouse_plays_total[${range}]))`;
    const accepted = (series: string) =>
      `sum by (cell) (increase(roundhouse_request_duration_seconds_${series}route="/wallet/play",result="ok"}[${range}]))`;
    return [
      ...Object.entries(FAILED_RESULTS).map(([cause, results]) => ({
        record: `roundhouse:plays_failed:increase${name}`,
        // Before the first failure there is no series of it.
        expr: `sum by (cell) (increase(roundhouse_plays_total{result=~"${results.join('|')}"}[${range}])) or 0 * ${plays}`,
        labels: { cause },
      })),
      {
        record: `roundhouse:plays_failed:ratio${name}`,
        expr: `roundhouse:plays_failed:increase${name} / ignoring(cause) group_left () ${plays}`,
      },
      {
        record: `roundhouse:plays_slow:increase${name}`,
        expr: `${accepted('count{')} - ${accepted('bucket{le="0.25",')}`,
      },
      {
        record: `roundhouse:plays_slow:ratio${name}`,
        expr: `roundhouse:plays_slow:increase${name} / ${accepted('count{')}`,
      },
    ];
  });
  return { name: 'roundhouse-objectives', rules };
}

/** Has the alerts of the two objectives, by how fast they use up what may fail. */
export function burnAlerts(context: RuleContext): RuleGroup {
  return {
    name: 'roundhouse-players',
    rules: [...BURNS.map((burn) => playsFailing(context, burn)), ...BURNS.map((burn) => playsSlow(context, burn))],
  };
}

type Burn = (typeof BURNS)[number];

function playsFailing(context: RuleContext, { burn, long, short, severity }: Burn): Rule {
  const limit = rounded(burn * FAILED_BUDGET);
  const share = (cause: string) =>
    `{{ with printf "roundhouse:plays_failed:ratio${nameOf(long)}{cause='${cause}',cell='%s'}" $labels.cell | query }}{{ . | first | value | humanizePercentage }}{{ end }}`;
  return alert(context, {
    name: 'PlaysFailing',
    severity,
    window: `${nameOf(long)}`,
    expr: `
sum by (cell) (roundhouse:plays_failed:ratio${nameOf(long)}) > ${limit}
and sum by (cell) (roundhouse:plays_failed:ratio${nameOf(short)}) > ${limit}
and sum by (cell) (roundhouse:plays_failed:increase${nameOf(long)}) >= ${FEWEST_PLAYS}`,
    summary: `{{ $value | humanizePercentage }} of plays failed in the last ${context.times.range(long)}`,
    description:
      `Of all plays ${share('server')} failed in the server and ${share('operator')} because of operators. ` +
      `The objective is 99.95 % without a failure. ${pace(burn)}`,
  });
}

function playsSlow(context: RuleContext, { burn, long, short, severity }: Burn): Rule {
  const limit = rounded(burn * SLOW_BUDGET);
  return alert(context, {
    name: 'PlaysSlow',
    severity,
    window: `${nameOf(long)}`,
    expr: `
roundhouse:plays_slow:ratio${nameOf(long)} > ${limit}
and roundhouse:plays_slow:ratio${nameOf(short)} > ${limit}
and roundhouse:plays_slow:increase${nameOf(long)} >= ${FEWEST_PLAYS}`,
    summary: `{{ $value | humanizePercentage }} of plays took over 250 ms in the last ${context.times.range(long)}`,
    description: `The objective is 99 % of accepted plays below 250 ms. ${pace(burn)}`,
  });
}

function pace(burn: number): string {
  return `What it allows for 30 days is gone in ${Number((30 / burn).toPrecision(2))} days at this rate, or sooner.`;
}

/** Drops what binary fractions add: 14.4 × 0.0005 is 0.0072. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
