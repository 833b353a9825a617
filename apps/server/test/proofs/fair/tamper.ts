import type { FairDocument, FairRound, FairTable } from '@roundhouse/fair';

type Random = () => number;
type Settled = Extract<FairRound, { bookID: number }>;
/**
 * `named` has the kinds of issue of which one must be found. A change may break two things at once,
 * and a reader is served by the name of either.
 */
type Tampering = { named: readonly string[]; apply(document: FairDocument, random: Random): void };

const below = (count: number, random: Random) => Math.floor(random() * count);
const anyOf = <Value>(values: readonly Value[], random: Random) => values[below(values.length, random)] as Value;

function otherDigit(hex: string, random: Random): string {
  const at = below(hex.length, random);
  const digit = ((Number.parseInt(hex[at] as string, 16) + 1 + below(15, random)) % 16).toString(16);
  return `${hex.slice(0, at)}${digit}${hex.slice(at + 1)}`;
}

const settledOf = ({ rounds }: FairDocument) => rounds.filter((round): round is Settled => round.void === undefined);
const tableOf = ({ tables }: FairDocument, random: Random) => anyOf(tables, random);
const withSiblings = ({ tables }: FairDocument, random: Random): FairTable =>
  anyOf(
    tables.filter(({ siblings }) => siblings.length > 0),
    random,
  );

/**
 * Returns what most rounds were drawn with. Under another name or client seed each round draws
 * anew, so two or three rounds of a small table may well draw the same rows again.
 */
function withMostRounds<Part>(
  parts: readonly Part[],
  rounds: readonly FairRound[],
  isOf: (part: Part, round: FairRound) => boolean,
): Part {
  const roundsOf = (part: Part) => rounds.filter((round) => isOf(part, round)).length;
  return parts.toSorted((one, other) => roundsOf(other) - roundsOf(one))[0] as Part;
}

/** Each changes one thing in an export, in place. */
export const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'the server seed': {
    named: ['serverSeed'],
    apply(document, random) {
      document.serverSeed = otherDigit(document.serverSeed as string, random);
    },
  },
  'the hash of the server seed': {
    named: ['serverSeed'],
    apply(document, random) {
      document.serverSeedHash = otherDigit(document.serverSeedHash, random);
    },
  },
  'a client seed': {
    named: ['clientSeed', 'row'],
    apply(document) {
      const partOf = ({ nonce }: FairRound) => document.clientSeeds.findLast(({ from }) => from <= nonce);
      const changed = withMostRounds(
        document.clientSeeds,
        settledOf(document),
        (part, round) => partOf(round) === part,
      );
      changed.clientSeed = `${changed.clientSeed.slice(0, -1)}y`;
    },
  },
  'a nonce': {
    named: ['nonce', 'order', 'missing'],
    apply({ rounds }, random) {
      const round = anyOf(rounds, random);
      round.nonce += random() < 0.5 ? 1 : rounds.length;
    },
  },
  'the number of nonces': {
    named: ['missing', 'nonce'],
    apply(document) {
      document.nonces = (document.nonces as number) + 1;
    },
  },
  'a missing round': {
    named: ['missing'],
    apply({ rounds }, random) {
      rounds.splice(below(rounds.length, random), 1);
    },
  },
  'the order of rounds': {
    named: ['order', 'nonce'],
    apply({ rounds }, random) {
      const at = below(rounds.length - 1, random);
      rounds.splice(at, 2, rounds[at + 1] as FairRound, rounds[at] as FairRound);
    },
  },
  'the betIDs of two rounds': {
    named: ['order'],
    apply({ rounds }, random) {
      const at = below(rounds.length - 1, random);
      const [one, other] = [rounds[at] as FairRound, rounds[at + 1] as FairRound];
      [one.betID, other.betID] = [other.betID, one.betID];
    },
  },
  'the payout of a round': {
    named: ['payout'],
    apply(document, random) {
      anyOf(settledOf(document), random).payout += 1 + below(1_000_000, random);
    },
  },
  'the payout multiplier of a round': {
    named: ['payout', 'row'],
    apply(document, random) {
      const round = anyOf(settledOf(document), random);
      round.payoutMultiplier = String(Number(round.payoutMultiplier) + 1);
    },
  },
  'the book of a round': {
    named: ['row'],
    apply(document, random) {
      anyOf(settledOf(document), random).bookID += 1;
    },
  },
  'the id of a row': {
    named: ['table', 'row'],
    apply(document, random) {
      anyOf(tableOf(document, random).drawn, random)[1] += 1;
    },
  },
  'the place of a row': {
    named: ['table', 'row', 'weight', 'format'],
    apply(document, random) {
      anyOf(tableOf(document, random).drawn, random)[0] += 1;
    },
  },
  'the weight of a row': {
    named: ['weight', 'table'],
    apply(document, random) {
      const row = anyOf(tableOf(document, random).drawn, random);
      row[2] = String(BigInt(row[2]) + 1n);
    },
  },
  'the payout multiplier of a row': {
    named: ['table', 'payout', 'row'],
    apply(document, random) {
      const row = anyOf(tableOf(document, random).drawn, random);
      row[3] = String(BigInt(row[3]) + 10n);
    },
  },
  'the book hash of a row': {
    named: ['book', 'table'],
    apply(document, random) {
      const row = anyOf(tableOf(document, random).drawn, random);
      row[4] = otherDigit(row[4], random);
    },
  },
  'a weight in the tree': {
    named: ['weight', 'table'],
    apply(document, random) {
      const sibling = anyOf(withSiblings(document, random).siblings, random);
      sibling[0] = String(BigInt(sibling[0]) + 1n);
    },
  },
  'a hash in the tree': {
    named: ['table'],
    apply(document, random) {
      const sibling = anyOf(withSiblings(document, random).siblings, random);
      sibling[1] = otherDigit(sibling[1], random);
    },
  },
  'the total weight of a table': {
    named: ['weight', 'table'],
    apply(document, random) {
      const table = tableOf(document, random);
      table.totalWeight = String(BigInt(table.totalWeight) + 1n);
    },
  },
  'the root of a table': {
    named: ['table'],
    apply(document, random) {
      const table = tableOf(document, random);
      table.root = otherDigit(table.root, random);
    },
  },
  'the mode of a table': {
    named: ['table', 'row'],
    apply(document) {
      withMostRounds(
        document.tables,
        settledOf(document),
        (part, round) => document.tables[round.table] === part,
      ).mode += 'X';
    },
  },
};

/** Changes a copy of the document at random. Returns it with what was done. */
export function tamperedWith(document: FairDocument, name: string, random: Random): FairDocument {
  const copy = structuredClone(document);
  (TAMPERINGS[name] as Tampering).apply(copy, random);
  return copy;
}
