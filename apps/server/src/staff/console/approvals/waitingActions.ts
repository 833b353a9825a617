import type { adminContract } from '@roundhouse/contract/admin';
import type { TwoPersonRouteName } from '@roundhouse/contract/admin-routes';
import type { ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import type { Database } from '../../../store/database/database.ts';
import { findOperator, findOperatorID, type OperatorRecord } from '../../../store/operators/operators.ts';
import { findRoundDetail } from '../../../store/operators/roundDetail.ts';
import { type ConsoleUserRecord, findConsoleUser } from '../../../store/staff/consoleUsers.ts';
import { findPlayer, listAccounts } from '../../../store/staff/playerPages.ts';
import { findShownTransaction } from '../../../store/staff/walletTransactionList.ts';
import { operatorLimitLines, settingLines } from './operatorWords.ts';
import { amountText, changeLine, type Detail, limitText, linesOf, namedAsWords, valueText } from './words.ts';

type Contract = typeof adminContract;
type Part<Request, Name extends 'params' | 'body'> = Request extends Record<Name, infer Given> ? Given : undefined;
type ParamsOf<Name extends TwoPersonRouteName> = Part<ServerInferRequest<Contract[Name]>, 'params'>;
type BodyOf<Name extends TwoPersonRouteName> = Part<ServerInferRequest<Contract[Name]>, 'body'>;
type DoneOf<Name extends TwoPersonRouteName> = ServerInferResponses<Contract[Name], 200>['body'];

/** A request in words, as the second user reads it. */
type Described = {
  /** What it is about, as in the log of significant events. */
  subject: string;
  /** What will be done, as a sentence. */
  what: string;
  details: Detail[];
};

export type WaitingAction<Name extends TwoPersonRouteName> = {
  /** Describes a request that its handler would accept at this moment. */
  describe(db: Database, request: { params: ParamsOf<Name>; body: BodyOf<Name> }): Promise<Described>;
  /** Members of the body that hold keys: they are stored encrypted, and shown to nobody. */
  keys: readonly (keyof BodyOf<Name> & string)[];
  /** Returns what the response has for the requester alone, and nothing else may show. */
  secretOf(response: DoneOf<Name>): string | null;
};

const NO_KEYS = [] as const;
const noSecret = () => null;

/**
 * The one table of what waits for a second user: what the approver reads, what is hidden, and what
 * the requester gets. A request that waits and is missing here does not compile.
 */
export const WAITING_ACTIONS: { readonly [Name in TwoPersonRouteName]: WaitingAction<Name> } = {
  voidRound: {
    async describe(db, { params: { betID }, body }) {
      const round = await findRoundDetail(db, {
        operatorID: undefined,
        roundID: BigInt(betID),
        events: { after: 0n, limit: 1 },
      });
      const { externalID, operatorCode, debit, currency, free } = found(round);
      const player = `player ${externalID} of operator ${operatorCode}`;
      const bet =
        free === undefined
          ? `returns ${amountText(debit, currency)} to ${player}`
          : `the free round of grant ${free.grantID} does not count for ${player}`;
      return {
        subject: `round ${betID}`,
        what: `Void round ${betID}: ${bet}; the round pays nothing.`,
        details: linesOf(body, { reason }),
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  settleWalletTransaction: {
    async describe(db, { params: { transactionID }, body }) {
      const transaction = found(await findShownTransaction(db, { transactionID, operatorID: undefined }));
      const { kind, roundID, amount, currency, externalID, operatorCode, attempts, resultDetail } = transaction;
      return {
        subject: `wallet transaction ${transactionID}`,
        what:
          `Settle the ${kind} of round ${roundID} by hand: our records then say that ${amountText(amount, currency)} ` +
          `${DIRECTIONS[kind]} player ${externalID} of operator ${operatorCode}, and it is never sent again.`,
        details: [
          ...changeLine('Attempts', undefined, String(attempts)),
          ...changeLine('Last result', undefined, resultDetail ?? 'none'),
          ...linesOf(body, { reason }),
        ],
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  setPlayerLimits: {
    async describe(db, { params: { operator, playerID }, body }) {
      const { currency } = body;
      const operatorID = found(await findOperatorID(db, operator));
      const player = found(await findPlayer(db, { operatorID, externalID: playerID }));
      const account = found((await listAccounts(db, player.rowID)).find((each) => each.currency === currency));
      const limit = (label: string, before: number | null) => (micros: number | null) =>
        changeLine(label, limitText(before, currency), limitText(micros, currency));
      return {
        subject: `player ${playerID} of operator ${operator}`,
        what: `Set the daily limits (UTC) of player ${playerID} of operator ${operator} in ${currency}.`,
        details: linesOf<typeof body>(body, {
          currency: () => [],
          dailyWager: limit('Daily wager limit', account.dailyWager),
          dailyLoss: limit('Daily loss limit', account.dailyLoss),
        }),
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  addOperator: {
    async describe(_db, { body: { code, ...settings } }) {
      return {
        subject: `operator ${code}`,
        what: `Add operator ${code}. It can launch games as soon as it is added.`,
        details: [...settingLines(settings, undefined), ...(settings.walletUrl ? NEW_SECRET : [])],
      };
    },
    keys: ['dialectSettings'],
    secretOf: ({ newSecret }) => newSecret,
  },

  changeOperator: {
    async describe(db, { params: { operator }, body }) {
      const stored = found(await findOperator(db, operator));
      const getsSecret = body.walletUrl && stored.secretFingerprints.length === 0;
      return {
        subject: `operator ${operator}`,
        what: `Change settings of operator ${operator}. They take effect on every node within a second.`,
        details: [...settingLines(body, stored), ...(getsSecret ? NEW_SECRET : [])],
      };
    },
    keys: ['dialectSettings'],
    secretOf: ({ newSecret }) => newSecret,
  },

  disableOperator: {
    async describe(db, { params: { operator }, body: { disabled, ...body } }) {
      const { isDisabled } = found(await findOperator(db, operator));
      return {
        subject: `operator ${operator}`,
        what: disabled
          ? `Disable operator ${operator}: all its players are stopped at once, and its launches are refused.`
          : `Enable operator ${operator}: its players can play again at once, and maintenance of the operator ends.`,
        details: [...changeLine('Disabled', valueText(isDisabled), valueText(disabled)), ...linesOf(body, { reason })],
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  setOperatorLimits: {
    async describe(db, { params: { operator }, body: { limits } }) {
      const stored = found(await findOperator(db, operator));
      const currencies = [...new Set(limits.map(({ currency }) => currency))].join(', ');
      return {
        subject: `operator ${operator}`,
        what: `Change limits of operator ${operator} in ${currencies}. They apply from the next bet.`,
        details: operatorLimitLines(limits, stored.limits),
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  rotateSecret: {
    async describe(db, { params: { operator } }) {
      return {
        subject: `operator ${operator}`,
        what:
          `Make a second secret for operator ${operator}. Requests of ${operator} may be signed with either from then on; ` +
          'requests to it are signed with the old one until the rotation is finished. The new one is shown to the requester.',
        details: secretLines(found(await findOperator(db, operator))),
      };
    },
    keys: NO_KEYS,
    secretOf: ({ newSecret }) => newSecret,
  },

  finishRotation: {
    async describe(db, { params: { operator } }) {
      return {
        subject: `operator ${operator}`,
        what:
          `Finish the rotation of the secret of operator ${operator}: requests to it are signed with the new secret at once, ` +
          `and the old one is no longer valid. If ${operator} does not take the new one yet, its players cannot play.`,
        details: secretLines(found(await findOperator(db, operator))),
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  cancelRotation: {
    async describe(db, { params: { operator } }) {
      return {
        subject: `operator ${operator}`,
        what: `Cancel the rotation of the secret of operator ${operator}: the old secret stays, and the new one is no longer valid.`,
        details: secretLines(found(await findOperator(db, operator))),
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  addUser: {
    async describe(_db, { body: { email, name, role, operator } }) {
      return {
        subject: `user ${email}`,
        what: `Add ${email} (${name}) as ${namedAsWords(role)} of ${ownerText(operator)}. ${LINK}`,
        details: [],
      };
    },
    keys: NO_KEYS,
    secretOf: ({ link }) => link,
  },

  changeUser: {
    async describe(db, { params, body }) {
      const user = found(await findConsoleUser(db, params));
      return {
        subject: `user ${user.email}`,
        what: `Change ${userText(user)}. A change of anything but the name ends the sessions of the user.`,
        details: linesOf<typeof body>(body, {
          name: (name) => changeLine('Name', user.name, name),
          role: (role) => changeLine('Role', namedAsWords(user.role), namedAsWords(role)),
          operator: (operator) => changeLine('Belongs to', ownerText(user.operator), ownerText(operator)),
          disabled: (disabled) => changeLine('Disabled', valueText(user.isDisabled), valueText(disabled)),
        }),
      };
    },
    keys: NO_KEYS,
    secretOf: noSecret,
  },

  newUserLink: {
    async describe(db, { params, body }) {
      const user = found(await findConsoleUser(db, params));
      return {
        subject: `user ${user.email}`,
        what: `Make a new link for ${userText(user)}. ${LINK}`,
        details: linesOf<typeof body>(body, {
          resetSecondFactor: (isReset) =>
            isReset ? changeLine('Second factors', undefined, 'removed, app and passkeys; the sessions end') : [],
        }),
      };
    },
    keys: NO_KEYS,
    secretOf: ({ link }) => link,
  },
};

export function isTwoPersonRoute(name: string): name is TwoPersonRouteName {
  return Object.hasOwn(WAITING_ACTIONS, name);
}

const LINK = 'Whoever has the link sets the password; it is shown to the requester.';

const DIRECTIONS = {
  debit: 'was taken from',
  credit: 'was paid to',
  winnings: 'was paid to',
  rollback: 'was returned to',
} as const;

const NEW_SECRET = changeLine('Secret', undefined, 'made by the server, and shown to the requester');

function reason(text: string): Detail[] {
  return changeLine('Reason', undefined, text);
}

function ownerText(operator: string | null): string {
  return operator === null ? 'the server' : `operator ${operator}`;
}

function userText({ email, name, role, operator }: ConsoleUserRecord): string {
  return `${email} (${name}, ${namedAsWords(role)} of ${ownerText(operator)})`;
}

function secretLines({ secretFingerprints: [signs, next] }: OperatorRecord): Detail[] {
  return [
    ...changeLine('Fingerprint of the current secret', undefined, signs ?? 'none'),
    ...(next === undefined ? [] : changeLine('Fingerprint of the new secret', undefined, next)),
  ];
}

/** The handler has just accepted the request, so what it is about is there. */
function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('what the request is about is gone since it was checked');
  return value;
}
