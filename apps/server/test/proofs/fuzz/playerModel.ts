import { type ErrorCode, GAME_ROUTES, type GrantDecision } from '@roundhouse/contract';
import { fixtureEvents, MODE_NAMES, PAYOUTS } from '../../support/fixtureGame.ts';
import { createFairModel, type FairPlace, type FairSent, isFairnessPath } from './fairModel.ts';
import { createGrantModel, type ModelGrant, termsOf } from './grantModel.ts';

/** The cost is in hundredths, so that the model needs no fractions. */
const MODES: Readonly<Record<string, { name: string; costHundredths: number; autoClose?: true }>> = {
  BASE: { name: MODE_NAMES.BASE, costHundredths: 100 },
  ANTE: { name: MODE_NAMES.ANTE, costHundredths: 125 },
  BONUS: { name: MODE_NAMES.BONUS, costHundredths: 10_000 },
  AUTO: { name: MODE_NAMES.AUTO, costHundredths: 100, autoClose: true },
};
const [MIN_BET, MAX_BET, STEP_BET] = [200_000, 100_000_000, 100_000];

type Bet = { amount: number; mode: string };
/** `grant` pays a free round. */
type Drawn = {
  betID: number;
  debit: number;
  balanceBefore: number;
  bookID: string;
  grant: ModelGrant | undefined;
  fair: FairPlace | undefined;
};
type Round = Bet & Drawn & { active: boolean; isVoid: boolean; event: string | null };
/**
 * `rounds` has all of them, oldest first. `fair` is there when all of its sessions have fair draws.
 */
type Account = {
  currency: string;
  balance: number;
  rounds: Round[];
  grants: ReturnType<typeof createGrantModel>;
  fair: ReturnType<typeof createFairModel> | undefined;
};
/** Returns the latest round that was not voided. */
const latestOf = ({ rounds }: Account) => rounds.findLast(({ isVoid }) => !isVoid);
/** `keys` has the round of each Idempotency-Key. */
type Session = { account: Account; keys: Map<string, Round> };
/** Holds a body within the contract. */
export type Sent = Bet &
  FairSent & {
    sessionID: string;
    event: string;
    before?: number;
    limit: number;
    grantID?: string;
    decision?: GrantDecision;
  };
/** Holds the key of a request, and what its response showed. */
type Shown = { key: string | undefined; shown: any };
/** With `ends` its operator may end it; then it is not a session any more. */
export type Seat = {
  sessionID: string;
  playerID: string;
  currency: string;
  ends?: boolean;
  draws?: 'provablyFair';
};

/** Returns cost and mode as the wire shows them; undefined when the game has no such mode. */
function priceOf({ amount, mode }: Bet) {
  const rules = MODES[mode.toUpperCase()];
  return rules && { ...rules, mode: rules.name, debit: (amount * rules.costHundredths) / 100 };
}

/** Predicts what a server with the fixture game does for one player, in micros below 2^53. */
export function createPlayerModel({ seats, balance }: { seats: readonly Seat[]; balance: number }) {
  const accounts = new Map(
    seats.map(({ currency, draws }): [string, Account] => {
      const grants = createGrantModel((amount) => {
        account.balance += amount;
      });
      const fair = draws && createFairModel();
      const account: Account = { currency, balance, rounds: [], grants, fair };
      return [currency, account];
    }),
  );
  const sessions = new Map(
    seats.map(({ sessionID, currency }): [string, Session] => {
      return [sessionID, { account: accounts.get(currency) as Account, keys: new Map() }];
    }),
  );
  let latestBetID = 0;
  /** There is no such grant until the first one is given. */
  let latestGrantID = `none-of-${seats[0]?.playerID}`.slice(0, 64);
  const holderOf = (grantID: string) => [...accounts.values()].find(({ grants }) => grants.find(grantID) !== undefined);

  /** Returns the refusal that a request must get; undefined when it must succeed. */
  function refusalOf(path: string, sent: Sent, key = ''): ErrorCode | undefined {
    const session = sessions.get(sent.sessionID);
    if (session === undefined) return 'ERR_IS';
    const latest = latestOf(session.account);
    if (path === GAME_ROUTES.event.path) return latest?.active ? undefined : 'ERR_VAL';
    if (path === GAME_ROUTES.endRound.path) return latest === undefined ? 'ERR_VAL' : undefined;
    const { grants, fair, rounds } = session.account;
    if (isFairnessPath(path)) return fair?.isTaken(path, sent, rounds.map(provenRound)) ? undefined : 'ERR_VAL';
    const { amount, grantID } = sent;
    if (path === GAME_ROUTES.grants.path) return grants.mayDecide(sent) ? undefined : 'ERR_VAL';
    if (path !== GAME_ROUTES.play.path) return undefined;
    const price = priceOf(sent);
    const earlier = session.keys.get(key);
    if (earlier !== undefined) {
      const isSame = earlier.amount === amount && earlier.mode === price?.mode;
      const isSameGrant = grantID === undefined || earlier.grant?.grantID === grantID;
      return isSame && isSameGrant && !earlier.isVoid ? undefined : 'ERR_VAL';
    }
    const isAllowed = amount >= MIN_BET && amount <= MAX_BET && amount % STEP_BET === 0;
    if (price === undefined || !isAllowed || latest?.active || fair?.hasClientSeed() === false) return 'ERR_VAL';
    if (grantID !== undefined) return grants.pays(grantID, sent) ? undefined : 'ERR_VAL';
    if (grants.automaticOf(sent) !== undefined) return undefined;
    return price.debit > session.account.balance ? 'ERR_IPB' : undefined;
  }

  /** Opens the round that was shown; the server decides its betID and its book. */
  function open({ account, keys }: Session, sent: Sent, { key, shown }: Shown): Round {
    const hundredths = Math.round(shown.payoutMultiplier * 100);
    const [bookID] = Object.entries(PAYOUTS).find(([, each]) => each === hundredths) ?? [];
    const price = priceOf(sent);
    if (bookID === undefined || price === undefined) throw new Error(`no book pays ${shown.payoutMultiplier}`);
    if (shown.betID <= latestBetID) throw new Error(`round ${shown.betID} comes after ${latestBetID}`);
    const { mode, debit, autoClose = false } = price;
    const active = !autoClose || hundredths > 0;
    const { grants } = account;
    const fair = account.fair?.take();
    const grant = sent.grantID === undefined ? grants.automaticOf(sent) : grants.find(sent.grantID);
    const before = { balanceBefore: account.balance, isVoid: false, event: null };
    const round = { betID: shown.betID, mode, debit, bookID, active, amount: sent.amount, grant, fair, ...before };
    if (grant === undefined) account.balance -= debit;
    else grants.take(grant);
    if (grant !== undefined && !active) grants.complete(grant, 0);
    account.rounds.push(round);
    if (key !== undefined) keys.set(key, round);
    latestBetID = round.betID;
    return round;
  }

  return {
    refusalOf,
    balanceOf: (currency: string) => accounts.get(currency)?.balance,
    rounds: () => [...accounts.values()].reduce((sum, { rounds }) => sum + rounds.length, 0),
    /** It is 0 when there is no round. */
    latestBetID: () => latestBetID,

    /** Applies a request that succeeded; returns the members that its response may have. */
    succeed(path: string, sent: Sent, { key, shown }: Shown) {
      const session = sessions.get(sent.sessionID) as Session;
      const { account } = session;
      if (account.fair && isFairnessPath(path))
        return account.fair.succeed(path, sent, shown, account.rounds.map(provenRound));
      let round = latestOf(account);
      if (path === GAME_ROUTES.play.path)
        round = session.keys.get(key ?? '') ?? open(session, sent, { key, shown: shown.round });
      if (path === GAME_ROUTES.event.path && round !== undefined) round.event = sent.event;
      if (path === GAME_ROUTES.endRound.path && round?.active) {
        round.active = false;
        if (round.grant === undefined) account.balance += payoutOf(round);
        else account.grants.complete(round.grant, payoutOf(round));
      }
      if (path === GAME_ROUTES.grants.path) {
        account.grants.decide(sent);
        return { grants: account.grants.onWire(sent.grantID, shown.grants) };
      }
      if (path === GAME_ROUTES.history.path) return historyOf(account, sent, shown.rounds);
      const { balance: amount, currency } = account;
      const openGrants = account.grants.onWire(undefined, shown.meta?.grants);
      return {
        balance: { amount, currency },
        round: round === undefined ? {} : wireRound(round),
        event: sent.event,
        meta: metaOf(account, openGrants, shown.meta),
      };
    },

    /** Ends the session, as its operator did; returns how many sessions that has ended. */
    ended: (sessionID: string): number => Number(sessions.delete(sessionID)),

    /** Voids the round, as its operator did: the debit is rolled back, once. */
    voided(betID: number): string | undefined {
      for (const account of accounts.values()) {
        const latest = latestOf(account);
        if (latest?.betID !== betID || !latest.active) continue;
        latest.isVoid = true;
        if (latest.grant === undefined) account.balance += latest.debit;
        else account.grants.giveBack(latest.grant);
        return undefined;
      }
      return `round ${betID} was voided, and was not open`;
    },

    /** Counts a round once for each document that has it. */
    provenRounds: () => [...accounts.values()].reduce((sum, { fair }) => sum + (fair?.provenRounds() ?? 0), 0),

    /** They stand for `{serverSeedHash}`, `{revealedHash}` and `{fairBetID}` in a request. */
    latestFair: () => {
      const { fair, rounds = [] } = [...accounts.values()].find((account) => account.fair !== undefined) ?? {};
      return {
        current: fair?.currentHash() ?? NO_HASH,
        revealed: fair?.revealedHash() ?? NO_HASH,
        betID: rounds.at(-1)?.betID ?? 1,
      };
    },

    /** It stands for `{grantID}` in a request. */
    latestGrantID: () => latestGrantID,
    grants: () => [...accounts.values()].flatMap(({ grants }) => grants.all()),

    /** Gives what the operator's request says; returns the status that it must get. */
    given(body: unknown): number {
      const terms = termsOf(body);
      const known = holderOf(terms.grantID)?.grants.find(terms.grantID);
      if (known !== undefined)
        return Object.entries(terms).every(([name, value]) => known[name as keyof ModelGrant] === value) ? 200 : 400;
      accounts.get(terms.currency)?.grants.give(terms);
      latestGrantID = terms.grantID;
      return 200;
    },

    /** Cancels a grant where the operator has done so; returns it as it must be shown. */
    grantAfter(grantID: string, { isCancelled }: { isCancelled: boolean }) {
      const grants = holderOf(grantID)?.grants;
      const grant = grants?.find(grantID);
      if (grant === undefined) return undefined;
      if (isCancelled) grants?.cancel(grant);
      const { isInRound: _, isEnded: _e, ...shown } = grant;
      return shown;
    },
  };
}

const NO_HASH = '0'.repeat(64);

/** Only authenticate shows it. */
function metaOf({ fair }: Account, grants: readonly unknown[], shown: any) {
  if (fair === undefined) return grants.length === 0 ? null : { grants };
  return { ...(grants.length > 0 && { grants }), ...(shown && { fairness: fair.seedsOnWire(shown.fairness) }) };
}

/** Returns a round of an account with fair draws as a proof shows it. */
function provenRound(round: Round) {
  const { betID, amount, bookID, active, isVoid, fair = { period: -1, nonce: -1 } } = round;
  const [nonce, isOpen] = [fair.nonce, active && !isVoid];
  if (isVoid) return { nonce, betID, amount, void: true as const, place: fair, isOpen };
  const payoutMultiplier = String(PAYOUTS[Number(bookID)]);
  return {
    nonce,
    betID,
    amount,
    payout: payoutOf(round),
    bookID: Number(bookID),
    payoutMultiplier,
    place: fair,
    isOpen,
  };
}

const payoutOf = ({ amount, bookID }: Round): number => (amount * (PAYOUTS[Number(bookID)] ?? Number.NaN)) / 100;

/** The server decides the times of the rounds. */
function historyOf(
  { rounds }: Account,
  { before = Infinity, limit }: Sent,
  shown: { startedAt: string; endedAt: string | null; fairness?: { serverSeedHash: string } }[],
) {
  const end = rounds.findLastIndex(({ betID }) => betID < before) + 1;
  const start = Math.max(0, end - limit);
  const page = rounds.slice(start, end).reverse();
  return {
    rounds: page.map((round, index) => {
      const { event: _event, state: _state, ...facts } = wireRound(round);
      const { active, balanceBefore, bookID, isVoid, fair } = round;
      const nothing = { payout: 0, payoutMultiplier: 0, active: false, void: true };
      const isOpen = active && !isVoid;
      const times = { startedAt: shown[index]?.startedAt, endedAt: isOpen ? null : shown[index]?.endedAt };
      return {
        ...facts,
        ...(isVoid && nothing),
        ...(!active && !isVoid && { bookID: Number(bookID) }),
        ...times,
        ...(fair && { fairness: { ...shown[index]?.fairness, nonce: fair.nonce } }),
        balanceBefore,
        gameVersion: '1.0.0',
      };
    }),
    next: start > 0 ? page.at(-1)?.betID : null,
  };
}

/** Returns the round as the wire shows it now. */
function wireRound({ betID, amount, bookID, active, mode, event, debit, grant }: Round) {
  const hundredths = PAYOUTS[Number(bookID)] ?? Number.NaN;
  return {
    betID,
    amount,
    payout: (amount * hundredths) / 100,
    payoutMultiplier: hundredths / 100,
    costMultiplier: debit / amount,
    active,
    mode,
    event,
    state: fixtureEvents(mode, hundredths),
    ...(grant !== undefined && { grantID: grant.grantID }),
  };
}
