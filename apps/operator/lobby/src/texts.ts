import type { Draws, FaultKind, ParityMark } from '@roundhouse/contract';
import type { Device, JurisdictionCount, JurisdictionDuration, JurisdictionFlag } from '@roundhouse/contract/light';
import type { EntryMeaning } from './account/statement.ts';
import type { Failure, ResultKind, Wire } from './api.ts';
import type { DraftIssue } from './bench/faults.ts';

const MEANINGS: Record<EntryMeaning, string> = {
  bet: 'Bet',
  free: 'Free round',
  win: 'Win',
  winnings: 'Wins of the free rounds',
  closed: 'Round closed',
  returned: 'Bet returned',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
};

const SOCIAL_MEANINGS: Record<EntryMeaning, string> = {
  bet: 'Play',
  free: 'Free round',
  win: 'Win',
  winnings: 'Wins of the free rounds',
  closed: 'Round closed',
  returned: 'Play returned',
  deposit: 'Coins added',
  withdrawal: 'Coins taken out',
};

const FLAGS: Record<JurisdictionFlag, string> = {
  socialCasino: 'Social casino',
  disabledFullscreen: 'No fullscreen',
  disabledTurbo: 'No turbo',
  disabledSuperTurbo: 'No super turbo',
  disabledAutoplay: 'No autoplay',
  disabledSlamstop: 'No early reel stop',
  disabledSpacebar: 'No spin by space bar',
  disabledBuyFeature: 'No bought features',
  displayNetPosition: 'Show net position',
  displayRTP: 'Show RTP',
  displaySessionTimer: 'Show session timer',
  requireAutoplayLossLimit: 'Autoplay only with a loss limit',
  singleInstance: 'One game at a time',
  disabledLossCelebration: 'No celebration of losses',
  requireStartRelease: 'A separate press for each round',
};

const NUMBERS: Record<JurisdictionDuration | JurisdictionCount, string> = {
  minimumRoundDuration: 'Shortest round (ms)',
  realityCheckInterval: 'Reality check every (ms)',
  idleTimeout: 'Session ends if idle for (ms)',
  maximumAutoplayRounds: 'Most autoplay rounds',
};

const DEVICES: Record<Device, string> = { desktop: 'Desktop', mobile: 'Mobile' };

const DRAWS: Record<Draws, string> = { certified: 'Certified generator', provablyFair: 'Provably fair draws' };

const RESULTS: Record<ResultKind, string> = {
  loss: 'Loss',
  small: 'Small win',
  big: 'Big win',
  max: 'Maximum win',
  feature: 'Feature',
};

const WIRE_NAMES: Record<Wire, string> = { game: 'Game wire', wallet: 'Wallet wire' };

const FAULTS: Record<FaultKind, string> = {
  error: 'Error',
  delay: 'Delay',
  lost_response: 'Response lost',
  lost_request: 'Request lost',
  silent_close: 'Silent close',
  malformed_response: 'Malformed response',
  duplicate: 'Delivered twice',
};

const FAULT_NOTES: Record<FaultKind, string> = {
  error: 'The response is an error.',
  delay: 'The response comes late.',
  lost_response: 'The request is processed, but its response does not arrive.',
  lost_request: 'The connection breaks before the request is processed.',
  silent_close: 'The request is processed, and the connection ends without a response. The server may repeat it.',
  malformed_response: 'The request is processed, but its response cannot be read.',
  duplicate: 'The request is delivered twice at the same moment.',
};

const ISSUES: Record<DraftIssue, string> = {
  delayMs: 'Enter whole milliseconds, 1 to 600,000.',
  next: 'Enter a whole number of requests, 1 to 1,000,000.',
  sharePercent: 'Enter a percentage above 0 and at most 100.',
};

const plural = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

function failureText(failure: Failure): string {
  if (failure.kind === 'unreachable') return 'The operator does not respond.';
  const { code, message } = failure;
  return message === '' ? code : `${message.slice(0, 1).toUpperCase()}${message.slice(1)} (${code})`;
}

export const texts = {
  failure: failureText,
  tryAgain: 'Try again',
  close: 'Close',

  page: {
    skipToGames: 'Skip to the games',
    loading: 'Opening the lobby…',
    unreachableTitle: 'The operator does not respond',
    unreachableText: 'The page cannot reach its server. It may be starting, or stopped.',
  },

  head: {
    operator: 'Operator',
    player: 'Player',
    changePlayer: 'Change player',
    balanceIn: (currency: string) => `Balance in ${currency}`,
    coins: 'Coins',
    noBalance: '…',
    bench: 'Studio bench',
    benchFaults: (count: number) => `${plural(count, 'fault')} on`,
    accountFailed: (failure: Failure) => `The account could not be opened. ${failureText(failure)}`,
  },

  cashier: {
    title: 'Cashier',
    balance: 'Balance',
    note: 'This casino uses only play money. Deposits arrive immediately.',
    deposit: (amount: string) => `Deposit ${amount}`,
  },
  socialCashier: {
    title: 'Get coins',
    balance: 'Coins',
    note: 'These coins are only for play. They arrive immediately.',
    deposit: (amount: string) => `Get ${amount}`,
  },
  responsibleTitle: 'Play responsibly',
  responsible: [
    'Gambling is entertainment, not a way to earn money. Over time the games pay back less than they take.',
    'Decide how much time and money you can spare before you play, and stop when it is spent. Take breaks.',
    'A casino with real money lets you set limits for deposits, losses and time here, take a break, or exclude yourself, ' +
      'and names organisations near you that help in confidence. This one is a reference: nothing here costs anything.',
  ],

  parity: {
    refused: 'Refused, as by Engine’s server',
    wouldRefuse: 'What Engine’s server would have refused',
    none: 'Nothing of the open game.',
    mark: ({ id, times, theirs }: Pick<ParityMark, 'id' | 'times' | 'theirs'>) =>
      `${plural(times, 'time')} · ${theirs.replaceAll('`', '')} · docs/parity.md, ${id}`,
  },

  playerDialog: {
    title: 'Change player',
    note: 'A known name opens the account of that player. A new name gets a new account with play money.',
    name: 'Player name',
    enter: 'Play as this player',
    anyone: 'New player',
    cancel: 'Cancel',
  },

  games: {
    title: 'Games',
    count: (count: number) => plural(count, 'game'),
    none: 'No games yet',
    noneText: 'The game server has no games to offer. Load a game and try again.',
    play: 'Play',
    playNamed: (title: string) => `Play ${title}`,
    playForFun: 'Play for fun',
    playForFunNamed: (title: string) => `Play for fun: ${title}, in a new tab`,
    playing: 'Open now',
    opening: 'Opening…',
    testPage: 'Test page',
    testPageNote: 'on the test page',
    rtp: 'RTP',
    rtpRange: (lowest: number, highest: number) => {
      const [from, to] = [lowest, highest].map((rtp) => (rtp * 100).toFixed(2));
      return from === to ? `${from} %` : `${from}–${to} %`;
    },
    volatility: 'Volatility',
    volatilities: { low: 'Low', medium: 'Medium', high: 'High' },
    deviation: (standardDeviation: number) => `Standard deviation ${standardDeviation.toFixed(1)} bets`,
    maxWin: 'Max win',
    times: (multiple: number) => `${multiple.toLocaleString('en')}×`,
    notInCurrency: (currency: string) => `Not offered in ${currency}`,
    failed: (title: string, failure: Failure) => `${title} could not be opened. ${failureText(failure)}`,
    fair: 'Provably fair',
    fairNote: 'You can check each round by its seeds.',
    verifier: 'Verifier',
    verifierNote: 'Checks provably fair rounds, in a new tab',
  },

  choices: {
    title: 'Options',
    language: 'Language',
    currency: 'Account currency',
    currencyGroups: { listed: 'Regular', social: 'Social', configured: 'Of this server', other: 'ISO 4217' },
    device: 'Device',
    devices: DEVICES,
    social: 'Social mode',
    fair: 'Provably fair draws',
    country: 'Country',
    countryHint: 'Any',
    countryIssue: 'Enter two letters, such as FI.',
    preset: 'Rules like those of',
    presets: { none: 'None', britain: 'Great Britain', malta: 'Malta' },
    ownDemands: 'Custom',
    summary: (parts: readonly (string | false)[]) => parts.filter((part) => part !== false && part !== '').join(' · '),
    jurisdiction: 'Jurisdiction',
    jurisdictionOn: (count: number) => (count === 0 ? 'no rules' : plural(count, 'rule')),
    flags: FLAGS,
    numbers: NUMBERS,
  },

  stage: {
    isOpen: 'is open',
    draws: DRAWS,
    frameName: (title: string) => `Game: ${title}`,
    frame: 'Frame',
    reload: 'Reload game',
    newWindow: 'Open in a new window',
    close: 'Close game',
    outdated: 'The options have changed since this game was opened.',
    restart: 'Restart with the new options',
    theatre: 'Theatre: the game takes the full width',
    replay: (mode: string, bookID: number) => `Replay of book ${bookID} in ${mode}. No money moves.`,
    endReplay: 'Back to the session',
  },

  reach: {
    checking: 'Opening the game…',
    blockedTitle: 'One step before the game opens',
    blockedText: (host: string) =>
      `The game loads by https from ${host}, and this browser does not accept the certificate of that server yet. ` +
      'Open the address in a tab, accept the certificate there, and come back.',
    blockedNote:
      'The game then opens automatically. The certificate is self-signed, as usual on a developer’s machine.',
    wanted:
      'The game uses https, and this browser does not accept the server’s self-signed certificate. ' +
      'Open the address, accept it, and come back: the game then loads again.',
    accept: 'Open and accept',
  },

  statement: {
    title: 'Statement',
    caption: (playerID: string, currency: string) => `Account of ${playerID} in ${currency}, newest first`,
    time: 'Time',
    what: 'What',
    andWhere: ', game and round',
    amount: 'Amount',
    balance: 'Balance',
    meanings: MEANINGS,
    socialMeanings: SOCIAL_MEANINGS,
    round: (title: string, roundID: string) => `${title} · ${roundID}`,
    connection: { live: 'Live', connecting: 'Connecting…', broken: 'Not connected' },
    loading: 'Loading the statement…',
    empty: 'No entries yet',
    emptyText: 'Open a game and play. Each bet and each win appears here immediately.',
    older: 'Show older',
    readingOlder: 'Reading…',
    failed: 'The statement cannot be loaded.',
  },

  bench: {
    title: 'Studio bench',
    close: 'Close the studio bench',
    localOnly: 'Only on this machine',
    outcome: 'Next outcome',
    outcomeOf: (title: string) => `For the session of ${title}`,
    noSession: 'Open a game first. An outcome is forced for its session.',
    mode: 'Mode',
    results: RESULTS,
    kinds: 'Kind of result',
    withoutFeature: 'Without a feature',
    bookID: 'Book id',
    forceBook: 'Force book',
    bookIssue: 'Enter a whole number.',
    search: {
      title: 'Find a book',
      from: 'Pays from (×)',
      to: 'Pays to (×)',
      with: 'With event',
      without: 'Without event',
      any: 'Any',
      none: 'None',
      find: 'Find',
      busy: 'Searching…',
      more: 'Show more',
      results: 'Books',
      found: (found: number, looked: number, all: number) =>
        found === 0 && looked === all
          ? `None of ${all.toLocaleString('en')} books.`
          : `${plural(found, 'book')} in the first ${looked.toLocaleString('en')} of ${all.toLocaleString('en')}.`,
      pays: (multiplier: number) => `${multiplier.toLocaleString('en')}×`,
      force: 'Force',
      replay: 'Replay',
      forceNamed: (bookID: number) => `Force book ${bookID}`,
      replayNamed: (bookID: number) => `Replay book ${bookID}`,
      payoutIssue: 'Enter a number with at most two decimals, such as 12.5.',
    },
    balance: 'Balance',
    newBalance: (currency: string) => `New balance in ${currency}`,
    setBalance: 'Set balance',
    balanceIssue: 'Enter a number with at most six decimals, such as 1,000.50.',
    freeRounds: {
      title: 'Free rounds',
      game: 'Game',
      automatic: 'Used without a grant id',
      paidAtEnd: 'Wins paid at the end',
      give: (bet: string) => `Give 5 at ${bet}`,
      nothing: (currency: string) => `No games are offered in ${currency}.`,
      given: (count: number, title: string) => `${plural(count, 'free round')} of ${title} given.`,
    },
    faults: 'Faults',
    wire: 'Wire',
    wires: WIRE_NAMES,
    kind: 'Fault',
    faultKinds: FAULTS,
    faultNotes: FAULT_NOTES,
    path: 'Request',
    allPaths: 'All requests',
    errorCode: 'Error code',
    noCode: '500 without a code',
    afterWork: 'After the request is processed',
    delayMs: 'Delay (ms)',
    extent: 'How often',
    nextRequests: 'Next requests',
    share: 'Share of requests',
    count: 'Number of requests',
    percent: 'Percent of requests',
    switchOn: 'Switch on',
    active: 'Switched on',
    noneActive: 'No faults are on.',
    whose: 'For',
    thisPlayer: (playerID: string) => `This player (${playerID})`,
    allPlayers: 'All players',
    onlyPlayer: (playerID: string) => `only ${playerID}`,
    faultsEnd: 'A fault ends automatically after 10 minutes.',
    timeLeft: (seconds: number) => (seconds > 90 ? `${Math.round(seconds / 60)} min` : `${seconds} s`),
    left: (next: number) => `${plural(next, 'request')} left`,
    ofRequests: (percent: string) => `${percent} % of requests`,
    switchOff: (what: string) => `Switch off: ${what}`,
    allOff: 'Switch all off',
    issues: ISSUES,
    forced: (mode: string, bookID: number) => `The next round in ${mode} is book ${bookID}.`,
    balanceSet: (amount: string) => `The balance is ${amount}.`,
    faultAdded: (wire: Wire) => `Fault switched on: ${WIRE_NAMES[wire].toLowerCase()}.`,
    faultRemoved: (wire: Wire) => `Fault switched off: ${WIRE_NAMES[wire].toLowerCase()}.`,
    allAreOff: 'All faults are off.',
    failed: (failure: Failure) => `That did not work. ${failureText(failure)}`,
  },
} as const;
