// The requirements of test standards and where each is met, in our own words. `npm run compliance`
// generates the pages of this folder from this file. `npm test` fails if a row names a file or test
// that does not exist, or a test that did not pass.
//
// clause       its number in the document
// requirement  what it demands, in short
// status       'built', 'configuration', "operator's duty", 'not applicable', 'not built'
// how          how it is met; the setting; the duty; the reason; what is missing
// code         files that meet it
// tests        'file > describe > it', spelled as in the file; … stands for what a test fills in
// evidence     a command that shows it
// read         true if we have read the clause in the regulator's text

const CHAOS =
  'apps/server/test/proofs/chaos/chaos.test.ts > … rounds of … players, seed …: everything fails, processes are killed, and no money is lost';
const FAILOVER =
  'apps/server/test/proofs/failover/failover.test.ts > … times the database fails over, seed …: no acknowledged play is lost, none is doubled';
const ONE_CHAIN = 'apps/server/test/watch/audit/significantEvents.test.ts > many transactions at once make one chain';
const NO_CHANGE_OF_EVENTS = 'apps/server/test/watch/audit/significantEvents.test.ts > … is refused';
const EVENT_WITH_ACTOR =
  'apps/server/test/watch/audit/significantEvents.test.ts > an event has its place, actor and time when its transaction commits';
const WHO_CHANGED_WHAT = 'apps/server/test/watch/audit/eventTriggers.test.ts > …: the log says who changed what';
const CHAIN_VERIFIED =
  'apps/server/test/watch/audit/eventChain.test.ts > verify names whatever a superuser does to the table';
const EVENTS_LISTED =
  'apps/server/test/cli/commands/audit.test.ts > roundhouse audit > list shows who changed what, also without --actor';
const EVENTS_EXPORTED =
  'apps/server/test/cli/commands/audit.test.ts > roundhouse audit > export writes every event and the head, which verify compares later';
const COMPLETED =
  'apps/server/test/rounds/wallets/interruptedRounds.test.ts > a round of the house wallet that its player has left > is completed and credited once, is marked, and is the last completed round of the player';
const COMPLETED_AT_OPERATOR =
  'apps/server/test/rounds/wallets/interruptedRounds.test.ts > a round with a seamless wallet that its player has left > is credited at the operator, in the usual way';
const PRESS_OF_ITS_OWN =
  'e2e/tests/slotKeyboard.spec.ts > a held key spins once, and the space bar stops the reels and skips what is shown';
const NO_LOSS_CELEBRATED =
  'apps/demo-slot/src/game/round/playRound.test.ts > where a loss may not be celebrated, … hundredths of the stake have effects of a win: …';
const RECORDS =
  'apps/server/test/store/roundRecords.test.ts > of any play have the balances before and after each round, archived or not, in the order of the rounds';
const REPORTED_BALANCES =
  'apps/server/test/rounds/wallets/roundRecords.test.ts > the record has the balances that the operator reported, and the history the first of both: …';
const STATEMENT =
  'apps/server/test/operators/api/rounds.test.ts > the statement of a player > has the rounds of the player alone, 50 on a page, with cursor and filters';
const PERFORMANCE_REPORT =
  'apps/server/test/cli/commands/report.test.ts > says what was played, won, made void and left, beside the theoretical RTP, and who has no activity';
const TOTALS =
  'apps/server/test/watch/rtp/gameTotals.test.ts > the totals are those of the rounds, whatever happens and however often a batch is sent';
const RTP_REPORT = 'apps/server/test/watch/rtp/rtp.test.ts > the command reports, and checks with its exit code';
const RTP_ALARM =
  'apps/server/test/watch/rtp/rtp.test.ts > an alarm is stored once, as evidence and as a significant event';
const EXACT_DRAW =
  'packages/math/src/draw/weightedDraw.test.ts > WeightedDraw > maps every value below the sum to the right book, and no other value to any: …';
const FAIR_DRAW =
  'packages/math/src/draw/weightedDraw.test.ts > WeightedDraw > draws 1,000,000 times from a fixed seed as a fair draw would (chi-square)';
const NO_NEW_ROUNDS =
  'apps/server/test/base/http/refusals.test.ts > ERR_MAINTENANCE > of a …, no new rounds: play only; a round that is active can be finished';
const MODE_CLOSED =
  'apps/server/test/base/http/refusals.test.ts > ERR_MAINTENANCE > of a mode …: plays of this mode only, also when the bet breaks the rules';
const REVOKED =
  'apps/server/test/operators/api/revoke.test.ts > a session that is revoked > is ended on every node at once; its open round stays, for another session of the player';
const MINIMUM_DURATION =
  'apps/server/test/rounds/play/play.test.ts > minimumRoundDuration > refuses a play before the time has passed, and accepts it after';
const MAX_STAKE =
  'apps/server/test/rounds/sessions/sessionLimits.test.ts > the maximum stake > lets a play of … with … cost …, and not when it is a micro less';
const ONE_GAME =
  'apps/server/test/rounds/sessions/sessionLimits.test.ts > one game at a time > a session that authenticates ends the other sessions of its player, in any currency';
const IDLE_TIMEOUT =
  'apps/server/test/rounds/sessions/sessionLimits.test.ts > the idle time-out of the jurisdiction > of … min with a session time-out of … min is … min';
const RESTRICTED_SLOT =
  'e2e/tests/slotJurisdiction.spec.ts > a place that restricts everything: nothing of it is offered, nothing of it works';
const NO_FALSE_WIN = 'apps/demo-slot/src/game/round/celebrate.test.ts > never celebrates a return below the stake';
const RESUMED = 'apps/demo-slot/src/game/resume.test.ts > ends in the same state from wherever it is resumed';
const RESUMED_ANYWHERE =
  'apps/server/test/rounds/play/authenticate.test.ts > the round of authenticate > belongs to the player: it continues after a new launch and on another node';
const WHOLE_ROUND =
  'apps/server/test/operators/api/rounds.test.ts > a round of the house wallet > whole: the bet, the payout, the events, in their order';
const HISTORY =
  'apps/server/test/rounds/play/history.test.ts > the history > has all of a completed round; its book replays what was played';
const REPLAY = 'apps/demo-slot/src/game/replay.test.ts > plays a book as often as wanted, without a session';
const SAME_MATH =
  'apps/server/test/node/serve.test.ts > a published version is refused at start when its math was changed';
const RETURN_BY_HAND =
  'packages/math/src/statistics/statistics.test.ts > modeStatistics > gives what is computed by hand';

/** The statuses of rows; docs/compliance/index.md explains them. */
export const STATUSES = ['built', 'configuration', "operator's duty", 'not applicable', 'not built'];

export const DOCUMENTS = [
  {
    page: 'gli-19',
    title: 'GLI-19 v3.0, interactive gaming systems',
    note: 'GLI-19 v3.0 is dated 17 July 2020. We had no access to its text: we compared chapters 2 and 4 and appendix B with a summary by others that follows the standard letter by letter, and know chapter 3 and appendix A from shorter summaries. A lab must compare all rows with the standard.',
    sections: [
      {
        title: 'Chapter 2: the system',
        rows: [
          {
            clause: '2.2',
            requirement:
              'One clock stamps transactions, rounds, significant events and reports, and one mechanism keeps all parts at the same time.',
            status: 'built',
            how: "PostgreSQL supplies every stored time, in UTC. A metric shows each node's offset from it; more than one second is a significant event. Synchronise all machines (NTP).",
            code: ['apps/server/prisma/functions/open_rounds.sql', 'apps/server/src/watch/audit/nodeEvents.ts'],
            tests: [
              'apps/server/test/watch/audit/nodeEvents.test.ts > a clock that is more than a second off is an event, and the offset is known',
              'apps/server/test/store/timeZone.test.ts > a database with another time zone keeps and tells the same moments',
              EVENT_WITH_ACTOR,
            ],
          },
          {
            clause: '2.3.2',
            requirement:
              'At least every 24 hours and on demand, the system checks by a hash of at least 128 bits that its critical parts are the approved ones, and shows a failure. Critical parts: programs, libraries, settings, files of the operating system, components that make reports, and database elements that affect the system.',
            status: 'built',
            how: 'With `--manifest` (without it a node checks nothing) each node compares the SHA-256 of all files of the server, its dependencies, Node and the games with a signed manifest: at start, every 24 hours and on demand. A mismatch is an event and a metric, and with `--on-mismatch stop-rounds` stops new rounds. `--include-database` adds functions, triggers, constraints and other database elements, `--include` files such as the settings.',
            code: [
              'apps/server/src/lab/install/installReport.ts',
              'apps/server/src/lab/install/watchInstall.ts',
              'apps/server/prisma/elements.sql',
            ],
            tests: [
              'apps/server/src/lab/install/watchInstall.test.ts > a good installation is checked at start and every 24 hours',
              'apps/server/test/proofs/processes/verifyInstall.test.ts > a mismatch stops new rounds on every worker, open ones end, and a later check opens them again',
              'apps/server/test/proofs/processes/verifyInstall.test.ts > a node whose database does not match at start serves, and opens no round until it does',
              'apps/server/test/proofs/processes/verifyInstall.test.ts > the command finds a match, and names what was changed, added and removed',
              'apps/server/test/lab/install/elements.test.ts > changes in SQL: > … is named',
              'apps/server/test/lab/install/verifyInstall.test.ts > included files of the operating system > that were changed, added or removed are named',
              SAME_MATH,
            ],
            evidence: 'roundhouse verify-install --ask-nodes --manifest manifest.json',
          },
          {
            clause: '2.3.3',
            requirement:
              'A third party can verify each critical part, independently of any process or security software of the system.',
            status: 'built',
            how: '`openssl`, `sha256sum` and, for the database, `psql` check the manifest (SHA-256, signed by Ed25519), as docs/compliance/verify-install.md shows.',
            code: ['apps/server/src/lab/install/manifest.ts', 'apps/server/prisma/elements.sql'],
            tests: [
              'apps/server/test/lab/install/manifest.test.ts > sha256sum and openssl verify a manifest by the commands of the document',
            ],
          },
          {
            clause: '2.4.1',
            requirement:
              'All gaming, one theme or paytable, one client version (such as desktop or mobile), or the login of one player can be disabled on demand.',
            status: 'built',
            how: "Maintenance of the server, an operator, a game, a version or a mode takes effect at once on every node. A version has one front end for all devices; one for a kind of device is a separate version or game. `revoke` ends a player's sessions, `login-expiry` the login.",
            code: [
              'apps/server/src/cli/commands/maintenance.ts',
              'apps/server/src/cli/commands/player.ts',
              'apps/server/src/operators/api/operatorRouter.ts',
            ],
            tests: [
              'apps/server/test/base/http/refusals.test.ts > ERR_MAINTENANCE > of a …, nothing at all: all endpoints, and then as before',
              NO_NEW_ROUNDS,
              MODE_CLOSED,
              'apps/server/test/cli/commands/game.test.ts > maintenance of a version and of a mode is switched by their names, which must be known',
              REVOKED,
              'apps/server/test/operators/api/revoke.test.ts > sessions that the operator ends > are all sessions of a player, also those that have not begun, and those of nobody else',
            ],
            evidence: 'roundhouse maintenance on game aurora-line --game-version 1.0.0 --mode BONUS',
          },
          {
            clause: '2.4.2, 2.4.3',
            requirement:
              'Parameters of a live jackpot change only fairly; contributions are moved and corrected securely.',
            status: 'not applicable',
            how: 'Roundhouse has no jackpots.',
          },
          {
            clause: '2.5.7',
            requirement:
              'On request a player gets a statement of at least the last year: payments and corrections with time and id, and the bets and wins of each game.',
            status: 'built',
            how: '`GET /operator/players/{playerID}/rounds` lists all rounds of any age; `rounds export --player` writes them. The operator adds the payments, which Roundhouse does not see.',
            code: ['apps/server/src/operators/api/roundHandlers.ts', 'apps/server/src/cli/commands/roundsExport.ts'],
            tests: [STATEMENT, RECORDS],
            evidence: 'roundhouse rounds export --player player-7',
          },
          {
            clause: '2.6.2',
            requirement: "The player's software contains what identifies it and its version.",
            status: 'built',
            how: 'Authenticate has the versions of front end and SDK (clientVersion; a front end without the SDK sends it itself). The log line `client` has them with the session number of the rounds.',
            code: ['packages/sdk/src/client/createClient.ts', 'apps/server/src/rounds/play/gameRouter.ts'],
            tests: [
              'apps/server/test/rounds/play/authenticate.test.ts > the client version > is logged with the number that the rounds of the session have, and without the sessionID',
              'packages/sdk/test/session.test.ts > the version that authenticate says > is that of the launch URL, and that of the SDK',
            ],
          },
          {
            clause: '2.6.5 g',
            requirement:
              "The platform makes each result, independently of the device; the player's software holds no logic for it.",
            status: 'built',
            how: 'A play returns the whole outcome, drawn on the server.',
            code: ['apps/server/src/rounds/play/play.ts'],
            tests: [
              'apps/server/test/rounds/play/play.test.ts > the round of a play > of book $book in $mode on $amount: every field, and end-round pays $payout',
            ],
          },
          {
            clause: '2.8.1',
            requirement:
              'The data of 2.8 is kept and backed up, stamped by the system clock, and can be exported for an audit (CSV, XLS).',
            status: 'built',
            how: 'Rounds, and RTP with its totals, as CSV or JSON, without texts that a spreadsheet runs as a formula; significant events as JSON. All times come from PostgreSQL. A database backup contains everything: docs/deployment.md.',
            code: ['apps/server/src/cli/commands/roundsExport.ts', 'apps/server/src/base/terminal/csvLines.ts'],
            tests: [
              'apps/server/test/cli/commands/roundsExport.test.ts > CSV has a header, amounts with six decimals, and no cell that a spreadsheet runs',
              'apps/server/src/base/terminal/csvLines.test.ts > the text … is no formula in a spreadsheet',
              'apps/server/test/cli/commands/roundsExport.test.ts > --out writes a file that only its owner reads, and none when it fails',
              EVENTS_EXPORTED,
            ],
            evidence: 'roundhouse rounds export',
          },
          {
            clause: '2.8.2',
            requirement:
              'For each game: time, denomination, display of the outcome, funds at start and end, bet, win, purchases that are not bets, fees, player choices, intermediate phases, jackpots won and contributed to, advice for games of skill, place, status, ids of game cycle or session, theme and paytable, and player.',
            status: 'built',
            how: 'docs/compliance/records.md maps each field. The house wallet computes the funds before and after from its transfers; with a seamless wallet they are what the operator reported, or empty.',
            code: ['apps/server/src/store/operators/roundRecords.ts', 'apps/server/src/store/operators/roundDetail.ts'],
            tests: [
              RECORDS,
              WHOLE_ROUND,
              'apps/server/test/operators/api/rounds.test.ts > a round of a seamless wallet > whole: with its wallet transactions',
              'apps/server/test/operators/api/rounds.test.ts > a record of a round > keeps the country that its session had, else that of the account, also when the session is deleted',
              REPORTED_BALANCES,
            ],
            evidence: 'roundhouse rounds export --json',
          },
          {
            clause: '2.8.3',
            requirement:
              'For each theme and paytable: id, settings, when it became available, theoretical RTP, games played, bets, wins, jackpots, bonus credits bet and won, void bets, purchases, gambles, fees, status, when it was or will be withdrawn.',
            status: 'built',
            how: '`rtp` shows for each version, mode and currency: status, when it became available and when it was or will be withdrawn, theoretical RTP, rounds, bets, wins and void bets; free rounds apart, with what their bets would have cost. `game list` also has versions without rounds, with their hash. Games have no jackpots or fees; a purchase in a game is a mode.',
            code: [
              'apps/server/src/store/watch/gameTotals.ts',
              'apps/server/src/store/rounds/games.ts',
              'apps/server/src/cli/commands/game.ts',
            ],
            tests: [
              TOTALS,
              RETURN_BY_HAND,
              RTP_REPORT,
              'apps/server/test/cli/commands/game.test.ts > a version is withdrawn once, at a time that list shows, until it is reinstated',
              'apps/server/test/rounds/games/gameVersions.test.ts > a version that was withdrawn > takes no new rounds; what is open is finished',
            ],
            evidence: 'roundhouse rtp',
          },
          {
            clause: '2.8.4',
            requirement:
              'For each contest or tournament: name, time, games, players with fees, scores and winnings, totals, status.',
            status: 'not applicable',
            how: 'Roundhouse has no contests or tournaments.',
          },
          {
            clause: '2.8.5',
            requirement:
              'For each player account: id and name, personal data (sensitive data encrypted), how and when the identity was verified, terms agreed to, balance with bonus credits apart, earlier accounts, registration, each access with its address, exclusions and limits, each payment with the balance before and after, status.',
            status: "operator's duty",
            how: "The operator has the account. Roundhouse has no name, address or document of a player, only the operator's player id, the country and, for the house wallet, balance, daily limits and each transfer.",
          },
          {
            clause: '2.8.6',
            requirement:
              'For each bonus offer: id, when it became available, balance, amounts issued, redeemed, expired and corrected, status, when it was or will be withdrawn.',
            status: 'not applicable',
            how: "Bonuses are in the operator's wallet.",
          },
          {
            clause: '2.8.7',
            requirement:
              'For each jackpot: id, games, current and reset values, other pools, all parameters, status, when it was or will be withdrawn.',
            status: 'not applicable',
            how: 'Roundhouse has no jackpots.',
          },
          {
            clause: '2.8.8',
            requirement:
              'A log of significant events: failed access with its address, program errors and mismatches, outages of critical parts, large wins and large bets (single and together), voids and corrections, changes of live data, of software, of policies of operating system, database, network and applications, of the master clock, of games, jackpots and bonuses, events of player accounts, loss of sensitive data, interventions by persons, and what the regulator adds.',
            status: 'built',
            how: "The log has all of this, with large bets and wins of a round and of a player's day. Whoever runs operating system, database and network logs changes of their policies.",
            code: ['apps/server/src/store/watch/eventKinds.ts', 'apps/server/prisma/functions/record_row_change.sql'],
            tests: [
              EVENT_WITH_ACTOR,
              ONE_CHAIN,
              NO_CHANGE_OF_EVENTS,
              WHO_CHANGED_WHAT,
              'apps/server/test/watch/audit/largeAmounts.test.ts > a bet and a win from the thresholds on are events, each of one round',
              'apps/server/test/watch/audit/largeAmounts.test.ts > bets and wins of a day > … wallet: bets that reach the threshold are one event of the day',
              'apps/server/test/watch/audit/largeAmounts.test.ts > bets and wins of a day > by …: wins that reach the threshold are one event of the day',
              'apps/server/test/watch/audit/nodeEvents.test.ts > refused signatures are one event for each operator and window',
              'apps/server/test/watch/audit/nodeEvents.test.ts > a node is started and stopped once, with its version and settings',
              'apps/server/test/node/serve.test.ts > after SIGTERM > the log has the start of both nodes, and no stop of the one that was killed',
              'apps/server/test/watch/audit/nodeEvents.test.ts > an outage of a wallet has a begin and an end, and the next one begins after a pause',
            ],
            evidence: 'roundhouse audit list',
          },
          {
            clause: '2.8.9',
            requirement:
              'For each user of the system: name and position, id, permitted functions, when the account was made, last used (with address), given a new password and disabled, groups, status.',
            status: 'built',
            how: 'A console user has a name, an email, one role (the table of rights says what it may do), an operator or none, and the times of creation and last sign-in. Each sign-in with its address, each change and each new password is a significant event. The operating system identifies people who run commands.',
            code: ['apps/server/src/staff/access/users.ts', 'packages/contract/src/admin/adminRoutes.ts'],
            tests: [
              'apps/server/test/staff/access/users.test.ts > the list of users > has pages by email, and filters',
              'apps/server/test/staff/access/users.test.ts > a change of a user > disables: the right password begins no session, until the user is enabled',
              'apps/server/test/staff/console/rights.test.ts > the table of rights > holds for each role and both scopes: …',
            ],
            evidence: 'roundhouse user list',
          },
          {
            clause: '2.9.1',
            requirement:
              'Reports on demand, for a day and other intervals (month, year, lifetime), with operator, title, interval, time of generation and clear labels. They say when there was no activity.',
            status: 'built',
            how: '`report` has all of these and says `No activity`. It covers a day, or the time from the start of its month, of its year or of all records.',
            code: ['apps/server/src/cli/commands/report.ts'],
            tests: [PERFORMANCE_REPORT],
            evidence: 'roundhouse report --period month',
          },
          {
            clause: '2.9.2',
            requirement:
              'Performance of each theme and paytable: name and type, when it became available, theoretical and actual RTP, games, bets, wins, void bets and funds in interrupted games (bonus credits apart), fees, id, status.',
            status: 'built',
            how: 'For each operator, game version, mode and currency, `report` shows title, type, id, status, the times from which a version is available and withdrawn, sums and both RTPs, free rounds apart; bets in interrupted rounds are those of the moment. `rtp` shows the interval in which a sound game lies, and what open rounds owe. Roundhouse has no fees.',
            code: ['apps/server/src/cli/commands/report.ts', 'apps/server/src/cli/commands/rtp.ts'],
            tests: [
              PERFORMANCE_REPORT,
              'apps/server/test/cli/commands/report.test.ts > says of a version that it is withdrawn, or will be',
              RTP_REPORT,
              'apps/server/test/watch/rtp/rtp.test.ts > an open round counts in the life, and apart in the report',
            ],
            evidence: 'roundhouse report --period life',
          },
          {
            clause: '2.9.5',
            requirement:
              'For each significant event and each alteration: time, part, who did or authorised it, reason or description, value before and after.',
            status: 'built',
            how: '`roundhouse audit list` filters by kind, actor, subject and time; `audit export` writes all events.',
            code: ['apps/server/src/cli/commands/audit.ts', 'apps/server/src/store/watch/significantEvents.ts'],
            tests: [EVENTS_LISTED, EVENTS_EXPORTED, WHO_CHANGED_WHAT],
            evidence: 'roundhouse audit list --json',
          },
        ],
      },
      {
        title: 'Chapter 3: random numbers',
        rows: [
          {
            clause: '3.2.1',
            requirement: 'The lab reviews the source code of the generator, of scaling and of the mapping to results.',
            status: 'built',
            how: '`random.ts` takes 64 bits from the cryptographic generator of Node (OpenSSL), `weightedDraw.ts` maps them to a book.',
            code: ['packages/math/src/draw/random.ts', 'packages/math/src/draw/weightedDraw.ts'],
            tests: [
              'packages/math/src/draw/random.test.ts > gives fresh bits in all 64 places, beyond one filling of its buffer',
              EXACT_DRAW,
            ],
          },
          {
            clause: '3.2.2',
            requirement:
              'Statistical tests at 99 % confidence of raw and scaled output: distribution, runs, correlation, overlaps, duplicates.',
            status: 'built',
            how: '`rng dump` writes raw output and drawn positions. `npm run proof -- rng-battery` runs dieharder and six tests of draws (result: docs/compliance/rng.md), `npm test` a short form.',
            code: ['apps/server/src/cli/commands/rng.ts', 'apps/bench/src/rng/drawTests.ts'],
            tests: [
              FAIR_DRAW,
              'apps/bench/test/proofs/drawTests.test.ts > draws of the source … in mode … of the sample game pass',
              'apps/bench/src/rng/verdict.test.ts > 99 % confidence has both ends',
              'apps/server/test/cli/rngDump.test.ts > raw output has the requested length, with each bit as often as not',
            ],
            evidence: 'npm run proof -- rng-battery',
          },
          {
            clause: '3.2.3',
            requirement:
              'Each result has its exact probability: scaling adds no bias, and output is discarded only as documented.',
            status: 'built',
            how: 'A draw takes as many bits as the sum of the weights needs and rejects any value at or above the sum, without a modulo. The player never sees the discarded draw of a refused play.',
            code: ['packages/math/src/draw/weightedDraw.ts', 'apps/server/src/rounds/play/play.ts'],
            tests: [
              EXACT_DRAW,
              'packages/math/src/draw/weightedDraw.test.ts > WeightedDraw > reaches the last value of a sum of 2^64−1 and rejects the one above',
              'packages/math/src/draw/weightedDraw.test.ts > WeightedDraw > gives each of n equally heavy books the same number of values',
              'apps/server/src/rounds/play/play.test.ts > the drawn book is given up when, and only when, the play is refused',
            ],
          },
          {
            clause: '3.2.4',
            requirement: 'A result does not depend on any earlier result, player, bet or instance.',
            status: 'built',
            how: 'A draw reads only the lookup table and fresh random bits. Each process has its own generator, seeded by the operating system.',
            code: ['apps/server/src/rounds/play/play.ts', 'packages/math/src/draw/random.ts'],
            tests: [
              FAIR_DRAW,
              'packages/math/src/draw/random.test.ts > gives fresh bits in all 64 places, beyond one filling of its buffer',
            ],
          },
          {
            clause: '3.2.5',
            requirement: 'The generator has enough possible outputs for each result to be possible in each draw.',
            status: 'built',
            how: 'A draw takes as many fresh bits as the sum of the weights needs, up to 64, so every book is possible in every draw.',
            code: ['packages/math/src/draw/weightedDraw.ts'],
            tests: [
              EXACT_DRAW,
              'packages/math/src/draw/weightedDraw.test.ts > WeightedDraw > reaches the last value of a sum of 2^64−1 and rejects the one above',
            ],
          },
          {
            clause: '3.3.2',
            requirement:
              'The generator is cryptographic: its output, a known input or a state that became known does not reveal later output. It is reseeded.',
            status: 'built',
            how: '`randomFillSync` of node:crypto, which OpenSSL seeds and reseeds from the operating system.',
            code: ['packages/math/src/draw/random.ts'],
            tests: [
              'packages/math/src/draw/random.test.ts > gives fresh bits in all 64 places, beyond one filling of its buffer',
            ],
          },
          {
            clause: '3.3.3',
            requirement: 'The output is monitored in operation, and a failure stops play.',
            status: 'built',
            how: 'Each process tests its source and draws at start and every hour. A failure stops new rounds on the node.',
            code: ['packages/math/src/draw/randomHealth.ts', 'apps/server/src/rounds/play/randomHealth.ts'],
            tests: [
              'apps/server/test/rounds/play/randomHealth.test.ts > a node whose source … starts, opens no round, and lets open ones end',
              'apps/server/test/rounds/play/randomHealth.test.ts > a source that breaks later stops rounds at the next test; the draws use the source that is tested',
              'apps/server/test/proofs/workers/randomHealth.test.ts > one worker with a broken generator stops new rounds of the whole node, also of later workers',
            ],
          },
        ],
      },
      {
        title: 'Chapter 4: games',
        rows: [
          {
            clause: '4.3.3 b',
            requirement: 'The bet is debited when it is placed; a bet that would make the balance negative is refused.',
            status: 'built',
            how: 'Round and debit are one transaction. The database refuses a negative balance.',
            code: ['apps/server/prisma/functions/open_rounds.sql'],
            tests: [
              'apps/server/test/rounds/play/play.test.ts > a play > of $amount in $mode debits $debit exactly, and a micro less does not cover it',
            ],
          },
          {
            clause: '4.3.3 d',
            requirement:
              "At the end of the game each win is credited to the balance; prizes in kind and large payouts follow the regulator's rules.",
            status: 'built',
            how: 'End-round credits the payout once, even if it is sent several times.',
            code: ['apps/server/prisma/functions/end_rounds.sql'],
            tests: [
              'apps/server/test/rounds/play/endRound.test.ts > end-round > credits $payout for book $book, completes the round, responds with the balance',
              'apps/server/test/rounds/play/endRound.test.ts > end-round > is idempotent: with a completed round it responds with the balance, and pays nothing',
            ],
          },
          {
            clause: '4.3.3 e',
            requirement:
              'No new game in a session before the running one is complete and funds and history are updated, unless the start ends the running one in an orderly way.',
            status: 'built',
            how: 'A play while a round of the game is active is refused (ERR_VAL).',
            code: ['apps/server/prisma/functions/open_rounds.sql'],
            tests: [
              'apps/server/test/base/http/refusals.test.ts > of several refusals the first in the order is sent > an active round comes before limits and balance',
            ],
          },
          {
            clause: '4.3.5 d',
            requirement:
              'Where restricted bonus credits and own funds share one balance, the restricted credits are bet first.',
            status: 'not applicable',
            how: "Roundhouse has no bonus credits: the operator's wallet decides what a debit takes.",
          },
          {
            clause: '4.14.1',
            requirement: 'The player has a game recall, by re-enactment or description, clearly marked as a replay.',
            status: 'built',
            how: 'The history lists rounds. The replay shows the same book; the demo slot marks it throughout.',
            code: ['apps/server/src/rounds/play/history.ts', 'apps/demo-slot/src/game/replay.ts'],
            tests: [HISTORY, REPLAY],
          },
          {
            clause: '4.14.2',
            requirement:
              "The recall shows enough to reconstruct the outcome and the player's actions: time, denomination, display of the outcome, funds at the start or the end, bet, win, purchases, fees, choices, intermediate phases, jackpots, advice.",
            status: 'built',
            how: 'A published version never changes, so the book of a round is what the player saw. History and demo slot have its times, bet, win and the balance before it (with a seamless wallet what the operator reported, if it did).',
            code: [
              'apps/server/src/rounds/play/history.ts',
              'apps/server/prisma/functions/read_histories.sql',
              'apps/demo-slot/src/ui/dialogs/historyDialog.tsx',
            ],
            tests: [
              HISTORY,
              REPORTED_BALANCES,
              SAME_MATH,
              'apps/demo-slot/src/game/history.test.ts > lists what each round has cost and brought',
            ],
          },
          {
            clause: '4.14.3',
            requirement:
              'The recall has at least the last 50 events of completed bonus or feature games, each with its outcome, won or lost.',
            status: 'built',
            how: 'Pages of up to 50 rounds, back to the first. A feature is part of its round.',
            code: ['apps/server/prisma/functions/read_histories.sql'],
            tests: [
              'apps/server/test/rounds/play/history.test.ts > the rounds of the history > are twenty without a limit, and fifty at most',
              'apps/demo-slot/src/game/history.test.ts > replays a round in the page, and then the game is as it was',
            ],
          },
          {
            clause: '4.15.1',
            requirement:
              'When a game is disabled, players can finish their game, including its bonus rounds and gambles; then it is not accessible.',
            status: 'built',
            how: 'The maintenance level `no_new_rounds` refuses only plays.',
            code: ['apps/server/prisma/views/session_refusals.sql'],
            tests: [NO_NEW_ROUNDS],
            evidence: 'roundhouse maintenance on game demo',
          },
          {
            clause: '4.16.2',
            requirement:
              "The platform holds the bet of an interrupted game that can go on until it is complete, and the player's account reflects it.",
            status: 'built',
            how: 'The debited bet stays with its open round, on any node and in any later session, and not in the balance. The player sees it in the history and resumes it; the operator sees it in its lists.',
            code: ['apps/server/prisma/functions/authenticate_sessions.sql', 'apps/demo-slot/src/game/createGame.ts'],
            tests: [RESUMED_ANYWHERE, RESUMED],
          },
          {
            clause: '4.16.3',
            requirement:
              'An interrupted game can be completed, and is resolved before the player plays that game again.',
            status: 'built',
            how: 'Authenticate returns the active round with its last recorded event. Plays of the game are refused until it has ended. An operator can void it.',
            code: [
              'apps/server/prisma/functions/authenticate_sessions.sql',
              'apps/server/prisma/functions/open_rounds.sql',
              'apps/server/prisma/functions/void_round.sql',
            ],
            tests: [
              RESUMED_ANYWHERE,
              'apps/server/test/base/http/refusals.test.ts > of several refusals the first in the order is sent > an active round comes before limits and balance',
              'apps/server/test/operators/api/voidRound.test.ts > a round of the house wallet > is void once, its debit is rolled back, and the player may play on',
            ],
            evidence: 'roundhouse rounds interrupted',
          },
          {
            clause: '4.16.3 a',
            requirement:
              'A game that needs no more input may be completed automatically, if history and balance show it.',
            status: 'configuration',
            how: '`--complete-rounds-after` of an operator, or `completeRoundsAfterHours` of the jurisdiction: nodes complete, credit and mark an abandoned round, and add it to the history.',
            code: ['apps/server/prisma/functions/complete_rounds.sql'],
            tests: [COMPLETED, COMPLETED_AT_OPERATOR],
          },
          {
            clause: '4.16.3 b',
            requirement:
              'A single-player game that needs input continues from the state just before the interruption, unless the rules say otherwise.',
            status: 'built',
            how: 'The front end continues at the last recorded event. The rules of the demo slot say so.',
            code: ['apps/server/prisma/functions/authenticate_sessions.sql', 'apps/demo-slot/src/game/createGame.ts'],
            tests: [RESUMED_ANYWHERE, RESUMED],
          },
          {
            clause: '4.16.3 c',
            requirement: 'With several players the platform completes the game for a player who does not act in time.',
            status: 'not applicable',
            how: 'Roundhouse has no games between players.',
          },
        ],
      },
      {
        title: 'Appendix A and B: operations and security',
        rows: [
          {
            clause: 'A 6.2',
            requirement: 'Theoretical and actual RTP are compared periodically.',
            status: 'built',
            how: 'Nodes compare them every hour, for life, month and day of each mode (docs/compliance/rtp.md).',
            code: ['apps/server/src/watch/rtp/rtpCheck.ts', 'apps/server/src/watch/rtp/bounds.ts'],
            tests: [
              RTP_ALARM,
              'apps/server/src/watch/rtp/bounds.test.ts > the interval of 99.9 % > …',
              'apps/server/test/rounds/games/rtpCoverage.test.ts > published math: …, … > the interval of 99.9 % holds the RTP of its rounds',
            ],
            evidence: 'roundhouse rtp --check',
          },
          {
            clause: 'B.2.3',
            requirement:
              'Each user has individual credentials, given by a formal process and reviewed; they are stored encrypted or hashed; a reset is as strong, with several factors; lost ones are withdrawn; rights have levels; an account is locked after three failures; each attempt is logged; tools that override controls are restricted.',
            status: 'built',
            how: "Each console user has a password (scrypt hash) or a passkey, a code as second factor, or single sign-on; a one-time link from an administrator replaces lost ones. Rights follow the role. Three wrong tries in a row lock the account for their address; ten from many addresses slow down every browser that the account does not know; each try is a significant event. An operator's server signs with its secret; a sessionID is kept only as a hash. The operator must give accounts by a formal process and review them, including those of the operating system and of PostgreSQL that run commands.",
            code: [
              'apps/server/src/staff/access/auth.ts',
              'apps/server/src/staff/access/signInRules.ts',
              'apps/server/src/operators/api/operatorSignature.ts',
              'apps/server/src/rounds/sessions/sessionToken.ts',
            ],
            tests: [
              'apps/server/test/staff/access/users.test.ts > a new user > sets the password by a link that holds once',
              'apps/server/test/staff/access/lockout.test.ts > three wrong passwords in a row > lock the account for their address for a time, also for the right password',
              'apps/server/test/staff/access/lockout.test.ts > three wrong codes in a row > lock the second factor, for both kinds of code together',
              'apps/server/test/staff/console/rights.test.ts > the table of rights > holds for each role and both scopes: …',
              'apps/server/test/rounds/sessions/sessions.test.ts > a sessionID > is a credential: the database keeps only its SHA-256',
            ],
          },
          {
            clause: 'B.2.4',
            requirement:
              'A secure mechanism verifies who may use critical parts. It fetches its data at the request and keeps none on the part; what authorises a session is random and goes when the session ends.',
            status: 'built',
            how: "Each operator request is signed with the stored secret, over body, time and nonce: there is no session to take over. Requests without a valid signature are a significant event, with their number and addresses. A player's sessionID is random; the database has its SHA-256 until the session is deleted.",
            code: ['apps/server/src/operators/api/operatorSignature.ts'],
            tests: [
              'apps/server/test/operators/api/signature.test.ts > every route responds 401, and nothing changes, for a request > …: …',
              'apps/server/test/operators/api/signature.test.ts > a request that somebody has recorded > is accepted once, by all nodes together, when it changes something; a read may come again',
              'apps/server/test/operators/api/signature.test.ts > the log says that a signature did not hold, and names no session and no secret',
              'apps/server/test/watch/audit/nodeEvents.test.ts > refused signatures are one event for each operator and window',
              'apps/server/test/rounds/sessions/sessions.test.ts > a sessionID > is a credential: the database keeps only its SHA-256',
            ],
          },
          {
            clause: 'B.2.6',
            requirement:
              'Signatures of the critical parts in production are compared with those of the approved versions: at installation and update, at start and recovery, every 24 hours and on demand. Both signatures are kept unalterably for 90 days and survive a disaster. A failure is notified, and somebody responds.',
            status: 'built',
            how: 'As 2.3.2. Each check is a significant event with the expected and the found hash, never deleted and part of each backup. A mismatch is also an error in the log and a metric. The operator must notify the regulator and respond.',
            code: ['apps/server/src/lab/install/watchInstall.ts', 'apps/server/src/lab/install/manifest.ts'],
            tests: [
              'apps/server/src/lab/install/watchInstall.test.ts > a good installation is checked at start and every 24 hours',
              'apps/server/src/lab/install/watchInstall.test.ts > a check comes when a person asks for it, and its result is a metric',
              'apps/server/test/lab/install/manifest.test.ts > a manifest with one byte changed is refused, also without a key',
            ],
            evidence: 'roundhouse verify-install --manifest manifest.json --public-key public.pem',
          },
          {
            clause: 'B.3.2',
            requirement:
              'Accounting data, reports and significant events change only under supervised access; each change is logged with an id, the element, its value before and after, time and person.',
            status: 'built',
            how: 'SQL functions make all changes to rounds. Corrections by persons and changes in SQL from outside, except inserted rows, are significant events, which cannot be changed. The proof of the books finds discrepancies. The operator must control who may connect to the database, and as which user.',
            code: ['apps/server/prisma/functions/record_row_change.sql', 'apps/server/src/store/books/booksBalance.ts'],
            tests: [
              WHO_CHANGED_WHAT,
              'apps/server/test/watch/audit/eventTriggers.test.ts > a person settles and retries wallet transactions',
              'apps/server/test/ledger/booksBalance.test.ts > the proof finds …',
              NO_CHANGE_OF_EVENTS,
            ],
            evidence: 'roundhouse audit list --kind data_changed',
          },
          {
            clause: 'B.3.5',
            requirement:
              'The failure of a single part loses no critical data. A test before production shows that restart or recovery of linked parts loses and doubles nothing, and that they agree again at once.',
            status: 'built',
            how: 'After random faults of network, wallet and processes, loss of the database, and a failover to its standby, each under load, the books of both sides balance and agree. `npm run proof -- faults` does the same with one database that restarts, is slow or has a full disk.',
            code: ['apps/server/src/rounds/wallets/seamless/recovery.ts', 'packages/service/src/writer.ts'],
            tests: [
              CHAOS,
              FAILOVER,
              'apps/server/test/proofs/processes/killed.test.ts > killed in the middle of plays it starts again, and no bet or payout is lost or doubled',
            ],
            evidence: 'npm run proof -- chaos --rounds 50000 --seed 1',
          },
          {
            clause: 'B.4.3 d',
            requirement: 'Communication is immune to attacks with malformed messages.',
            status: 'built',
            how: 'Fuzzed by random requests and broken framings.',
            code: ['apps/server/src/base/http/readBody.ts', 'packages/service/src/clientConnections.ts'],
            tests: [
              'apps/server/test/proofs/fuzz/fuzz.test.ts > … requests of any kind, seed …: each response keeps to the protocol, and nothing leaks',
            ],
            evidence: 'npm run proof -- fuzz',
          },
          {
            clause: 'B.6.1',
            requirement: 'Name servers of public addresses are redundant, secured and locked against changes.',
            status: "operator's duty",
            how: 'Roundhouse runs no name server.',
          },
          {
            clause: 'B.6.2',
            requirement:
              'A policy for cryptography: personal and sensitive data is encrypted on less trusted networks and on portable media, messages are authenticated, certificates come from an approved organisation, algorithms are strong enough, reviewed and replaceable, and keys are stored encrypted by another key.',
            status: 'built',
            how: 'Requests between operators and Roundhouse are signed (HMAC-SHA-256), by secrets that a key outside the database encrypts. The operator is responsible for the policy, TLS with its certificates, and the encryption of disks and backups: docs/deployment.md.',
            code: ['apps/server/src/store/database/secretKeys.ts', 'apps/server/src/base/seal.ts'],
            tests: [
              'apps/server/test/cli/commands/secrets.test.ts > without the key serve refuses to start, and no secret is written',
            ],
          },
          {
            clause: 'B.6.3',
            requirement:
              'A procedure governs how keys are made, stored, expire, are revoked and are exchanged; data encrypted by a revoked key can be recovered for a time.',
            status: 'built',
            how: 'During an exchange both secrets of an operator are valid, as are both keys that encrypt them.',
            code: ['apps/server/src/store/operators/operatorSecrets.ts'],
            tests: [
              'apps/server/test/cli/commands/secrets.test.ts > the key is exchanged for another: both are good, then all is encrypted anew, then the old one is gone',
              'apps/server/test/operators/api/signature.test.ts > a signature that holds > may be by either of two secrets, until one is taken away',
            ],
          },
          {
            clause: 'B.6.4',
            requirement:
              'Critical parts are hardened: no risky defaults, one function for each server, no unnecessary software, reviewed regularly.',
            status: "operator's duty",
            how: "The image is slim and runs as an unprivileged user. Machines, PostgreSQL and the proxy are the operator's responsibility: docs/deployment.md.",
          },
          {
            clause: 'B.6.5',
            requirement:
              'Activities, exceptions and security events are logged on each critical part, managed centrally, kept long enough, protected from change, and reviewed with a record of each review.',
            status: 'built',
            how: "Significant events of all nodes are one chain of hashes in the database. Keep exported heads elsewhere, review the events, and collect the nodes' request logs with your own tool.",
            code: ['apps/server/src/store/watch/eventChain.ts', 'apps/server/src/cli/commands/audit.ts'],
            tests: [
              ONE_CHAIN,
              CHAIN_VERIFIED,
              'apps/server/test/watch/audit/eventChain.test.ts > only an exported head shows that the end was cut off and the head written anew',
              EVENTS_EXPORTED,
            ],
            evidence: 'roundhouse audit verify',
          },
        ],
      },
    ],
  },
  {
    page: 'ukgc-rts',
    title: 'UK Gambling Commission: RTS, stake limits, live RTP',
    note: 'The remote technical standards of the UK Gambling Commission, The Gambling Act 2005 (Operating Licence Conditions) Regulations (SI 2025/215), and the guidance on live RTP. We read RTS 1B, 2E, 7A, 8A, 13C and 14 on the pages of the Commission, the regulation and the guidance. We know RTS 7B to 7E, 10 and 13B, and their letters, from summaries.',
    sections: [
      {
        title: 'Remote technical standards',
        rows: [
          {
            clause: 'RTS 1B',
            read: true,
            requirement: 'The player sees at least three months of history easily, and twelve months on request.',
            status: 'built',
            how: 'History and operator API have rounds of any age. The operator shows them, with payments, on its pages (`historyURL`).',
            code: ['apps/server/src/operators/api/roundHandlers.ts', 'apps/server/src/rounds/play/history.ts'],
            tests: [
              HISTORY,
              STATEMENT,
              'apps/server/test/operators/api/listRounds.test.ts > all pages together are the list, once, newest first > for any rounds, any filter, any size of a page, and any number of rounds that a page looks at',
            ],
          },
          {
            clause: 'RTS 2E',
            read: true,
            requirement: "A gaming session shows the player's net position since it began, in the account's currency.",
            status: 'configuration',
            how: '`displayNetPosition` of the jurisdiction; the SDK keeps the exact sum. A client that restarts counts from zero.',
            code: ['packages/sdk/src/client/state.ts', 'packages/contract/src/jurisdiction.ts'],
            tests: [
              'packages/sdk/test/netPosition.test.ts > is what the balance has changed by, for whole and broken cost multipliers',
              RESTRICTED_SLOT,
            ],
          },
          {
            clause: 'RTS 7A',
            read: true,
            requirement: 'Random numbers and results are acceptably random; no game adapts to its history.',
            status: 'built',
            how: 'The cryptographic generator of Node, exact rejection, one table for all. Battery of tests: GLI-19 3.2.2.',
            code: ['packages/math/src/draw/random.ts', 'packages/math/src/draw/weightedDraw.ts'],
            tests: [EXACT_DRAW, FAIR_DRAW],
          },
          {
            clause: 'RTS 7B',
            requirement:
              'Games follow their rules and payouts as described. Random numbers are used in the order in which they come, and none is discarded because of its outcome.',
            status: 'built',
            how: 'Each play draws one value when it comes and keeps none for later. The id of the drawn book is stored, and the response is that book. The player never sees the discarded draw of a refused play.',
            code: ['apps/server/src/rounds/play/play.ts', 'apps/server/src/rounds/play/round.ts'],
            tests: [
              EXACT_DRAW,
              'apps/server/test/rounds/play/play.test.ts > the round of a play > of book $book in $mode on $amount: every field, and end-round pays $payout',
              'apps/server/src/rounds/play/play.test.ts > the drawn book is given up when, and only when, the play is refused',
            ],
          },
          {
            clause: 'RTS 7C',
            requirement:
              'No design misleads about the likelihood of results: no losing result is replaced by another (near miss), and no skill is suggested that does not count.',
            status: 'built',
            how: 'The demo slot shows the board of the drawn book, computed with the book. Its rules show the odds. Other front ends and math must ensure this themselves.',
            code: ['apps/demo-slot/math/publishGame.ts', 'apps/demo-slot/src/ui/dialogs/infoDialog.tsx'],
            tests: [
              'apps/demo-slot/math/publishedMath.test.ts > mode … > has books with the events that the rules give for their boards',
              'apps/demo-slot/math/smallEdition.test.ts > comes, like all books, with the statistics of its published files for the rules page',
            ],
          },
          {
            clause: 'RTS 7D',
            requirement: 'Rules, payouts and probabilities of a game do not change while it can be played.',
            status: 'built',
            how: 'A published version never changes, and a round stays on its version.',
            code: ['apps/server/src/rounds/games/loadCatalogue.ts'],
            tests: [
              SAME_MATH,
              'apps/server/test/rounds/games/gameVersions.test.ts > a round that was opened on the old version, on $name > is resumed by a session of the new version, with the book it was played on, and ended',
            ],
          },
          {
            clause: 'RTS 7E',
            requirement: 'A result is shown long enough to be understood.',
            status: 'built',
            how: 'The demo slot keeps the last board in view until the next spin; the history replays it. Other front ends must ensure this themselves.',
            code: ['apps/demo-slot/src/game/rest.ts'],
            tests: [
              'apps/demo-slot/src/game/rest.test.ts > the lines that have paid are shown in turn, again and again',
            ],
          },
          {
            clause: 'RTS 8A',
            read: true,
            requirement: 'The player commits to each game cycle: no autoplay in any online game.',
            status: 'configuration',
            how: '`disabledAutoplay` of the jurisdiction (preset `uk`). The front end enforces it, since the server cannot tell who presses a button; `minimumRoundDuration` bounds the speed.',
            code: ['packages/contract/src/jurisdiction.ts', 'apps/demo-slot/src/game/permissions.ts'],
            tests: ['apps/demo-slot/src/game/autoplay.test.ts > is not offered where it is forbidden', RESTRICTED_SLOT],
            evidence: 'roundhouse jurisdictions',
          },
          {
            clause: 'RTS 10A',
            requirement: 'An interrupted game continues from its last known state.',
            status: 'built',
            how: 'Authenticate returns the active round with its last recorded event.',
            code: ['apps/server/prisma/functions/authenticate_sessions.sql'],
            tests: [
              RESUMED_ANYWHERE,
              RESUMED,
              'e2e/tests/slotRounds.spec.ts > free spins are bought at the price that is asked for, and a reload during them goes on at the spin that was recorded',
            ],
          },
          {
            clause: 'RTS 10B',
            requirement:
              'The system can recover from failures without loss; bets that cannot continue are treated fairly.',
            status: 'built',
            how: 'Roundhouse stores every wallet request before sending it, rolls back what is uncertain and retries what is owed. An abandoned round is completed after the configured hours.',
            code: ['apps/server/src/rounds/wallets/seamless/recovery.ts'],
            tests: [CHAOS, FAILOVER, COMPLETED],
          },
          {
            clause: 'RTS 13B',
            requirement:
              'A reality check at the interval that the player chooses; it waits for the end of the cycle, and offers history and exit.',
            status: 'configuration',
            how: "`realityCheckInterval` of the jurisdiction; the operator sends the player's choice with each session. The demo slot waits for the end of a round, asks for an acknowledgement, and offers history and exit.",
            code: ['packages/sdk/src/duties.ts', 'apps/demo-slot/src/game/realityCheck.ts'],
            tests: [
              'packages/sdk/src/realityCheck.test.ts > is due when the interval is over, and again an interval after the player has seen it',
              'apps/demo-slot/src/game/leave.test.ts > a reality check comes at the end of the round in which it is due, and again an interval later',
              'apps/demo-slot/src/game/leave.test.ts > a reality check lets the player leave a game whose link names no page',
              'apps/demo-slot/src/game/history.test.ts > returns to the reality check from which it was opened',
            ],
          },
          {
            clause: 'RTS 13C',
            read: true,
            requirement: 'The elapsed time of the session is shown, in hours, minutes and seconds.',
            status: 'configuration',
            how: '`displaySessionTimer` of the jurisdiction; `createSessionTimer` and `formatElapsed` of the SDK.',
            code: ['packages/sdk/src/duties.ts'],
            tests: [
              'packages/sdk/src/sessionTimer.test.ts > createSessionTimer > ticks at once and then with each full second of the session',
              RESTRICTED_SLOT,
            ],
          },
          {
            clause: 'RTS 14A',
            read: true,
            requirement:
              'The game does not actively encourage players to chase losses, to raise the stake or to continue after they wanted to stop.',
            status: 'configuration',
            how: '`disabledBuyFeature` of the jurisdiction removes features that raise the stake of a round. The demo slot never urges players to bet more or stay. Other front ends must ensure this themselves.',
            code: ['apps/demo-slot/src/game/permissions.ts'],
            tests: ['apps/demo-slot/src/game/permissions.test.ts > … decides about …', RESTRICTED_SLOT],
          },
          {
            clause: 'RTS 14C',
            read: true,
            requirement: 'No feature lets a player play several slots at the same time.',
            status: 'configuration',
            how: "`singleInstance` of the jurisdiction: a session that authenticates ends its player's other sessions.",
            code: ['apps/server/prisma/functions/authenticate_sessions.sql', 'packages/contract/src/jurisdiction.ts'],
            tests: [
              ONE_GAME,
              'apps/demo-slot/src/game/leave.test.ts > where one game is allowed at a time, a session that has ended may have been ended by another game',
              'apps/server/test/rounds/sessions/sessionLimits.test.ts > one game at a time > of two that authenticate at once one goes on',
            ],
          },
          {
            clause: 'RTS 14D',
            read: true,
            requirement:
              'At least 2.5 seconds from the start of a cycle to the next; the button is released in between.',
            status: 'configuration',
            how: '`minimumRoundDuration: 2500`: the server refuses an earlier play, by the database clock. `requireStartRelease`: the demo slot starts no round before the release.',
            code: ['apps/server/prisma/functions/open_rounds.sql'],
            tests: [
              MINIMUM_DURATION,
              'apps/server/test/rounds/play/play.test.ts > minimumRoundDuration > counts from the last play, also of another session, and of a round that completed itself',
              PRESS_OF_ITS_OWN,
              'apps/demo-slot/src/game/actions.test.ts > spins and stops with the space bar, once for each press',
            ],
          },
          {
            clause: 'RTS 14E',
            read: true,
            requirement: 'Nothing shortens the time to the result: no turbo, quick spin or slam stop.',
            status: 'configuration',
            how: '`disabledTurbo`, `disabledSuperTurbo` and `disabledSlamstop` of the jurisdiction.',
            code: ['apps/demo-slot/src/game/permissions.ts'],
            tests: ['apps/demo-slot/src/game/permissions.test.ts > … decides about …', RESTRICTED_SLOT],
          },
          {
            clause: 'RTS 14F',
            read: true,
            requirement: 'No sound or picture celebrates a return of the stake or less.',
            status: 'configuration',
            how: '`disabledLossCelebration` of the jurisdiction: no win effects at all. Without it the demo slot still opens no celebration. Other front ends must ensure this themselves.',
            code: ['apps/demo-slot/src/game/round/celebrate.ts'],
            tests: [NO_LOSS_CELEBRATED, NO_FALSE_WIN],
          },
        ],
      },
      {
        title: 'Stake limits and live RTP',
        rows: [
          {
            clause: 'SI 2025/215, reg. 5',
            read: true,
            requirement: 'A cycle of an online slot costs at most £2 for a player below 25 years, and £5 for others.',
            status: 'configuration',
            how: "`maxStake` by currency limits the debit, including the cost of the mode: of the jurisdiction, and for one player (the operator knows the age) of a launch or the wallet's response.",
            code: ['packages/contract/src/betRules.ts', 'apps/server/src/rounds/sessions/launchSession.ts'],
            tests: [
              MAX_STAKE,
              'apps/server/test/rounds/sessions/sessionLimits.test.ts > the maximum stake > is the lowest of the operator (…) and the session (…)',
              'apps/server/test/rounds/wallets/sessionLimits.test.ts > the maximum stake that the wallet says holds for its session, and a later authenticate changes it',
            ],
          },
          {
            clause: 'Live RTP: measure',
            read: true,
            requirement:
              'The performance of each game is measured continuously, by reports over the stored transactions.',
            status: 'built',
            how: 'The transaction that completes a round adds it to the totals, which `books-balance` compares with the rounds. Nodes check them every hour.',
            code: ['apps/server/src/store/watch/gameTotals.ts', 'apps/server/src/watch/rtp/rtpCheck.ts'],
            tests: [
              TOTALS,
              RTP_REPORT,
              'apps/server/test/watch/rtp/rtp.test.ts > one node checks in an hour, and folds at once',
            ],
            evidence: 'roundhouse rtp',
          },
          {
            clause: 'Live RTP: alert',
            read: true,
            requirement: 'An alert when a game seems to leave its acceptable range, which follows from its volatility.',
            status: 'built',
            how: "An alarm is a significant event, an error in the log and a metric. Its bounds come from the lookup table's distribution and hold for all checks together.",
            code: ['apps/server/src/watch/rtp/bounds.ts', 'apps/server/src/watch/rtp/rtpCheck.ts'],
            tests: [
              RTP_ALARM,
              'apps/server/test/rounds/games/rtpCoverage.test.ts > a table with less RTP behind the back of the server > …, …, … points less: reported after about … rounds',
              'apps/server/test/rounds/games/rtpCoverage.test.ts > published math: …, … > gives no alarm in 1,000 weeks of looks, beyond the stated rate',
            ],
            evidence: 'roundhouse rtp --check',
          },
          {
            clause: 'Live RTP: records',
            read: true,
            requirement: 'Records of the measurements and of investigations are kept.',
            status: "operator's duty",
            how: 'Totals and alarms are kept for ever. Record the outcome of each alarm, and report a confirmed error as a key event.',
          },
        ],
      },
    ],
  },
  {
    page: 'agco',
    title: "AGCO: Registrar's Standards for Internet Gaming (Ontario)",
    note: 'The standards from 2.15 to 2.22 and 4.01 to 4.30 that concern an RGS. We read 2.15, 4.01, 4.02 and 4.17 to 4.30 on the pages of the AGCO, know 2.16 to 2.22, 4.05 and 4.06 from accounts that quote them, and 4.09 and 4.10 from AGCO guides that refer to them. The others from 4.03 to 4.16 share one row, without their content.',
    sections: [
      {
        title: '2.15 to 2.22: design of slots',
        rows: [
          {
            clause: '2.15',
            read: true,
            requirement:
              'A game does not mislead: no secondary decision changes a shown result, no near miss replaces it, and fun play has the same odds.',
            status: 'built',
            how: 'The game shows the drawn book. Fun mode draws from the same lookup tables.',
            code: ['apps/server/src/rounds/play/play.ts', 'apps/server/src/rounds/play/demoRouter.ts'],
            tests: [
              'apps/server/test/rounds/play/play.test.ts > the round of a play > of book $book in $mode on $amount: every field, and end-round pays $payout',
            ],
          },
          {
            clause: '2.16',
            requirement: 'No autoplay of slots: the player commits to each game, by releasing and pressing the button.',
            status: 'configuration',
            how: '`disabledAutoplay` of the jurisdiction (preset `ontario`); the front end enforces it.',
            code: ['apps/demo-slot/src/game/permissions.ts'],
            tests: ['apps/demo-slot/src/game/autoplay.test.ts > is not offered where it is forbidden', RESTRICTED_SLOT],
          },
          {
            clause: '2.17',
            requirement: 'Nothing helps a player play several slots at the same time, on one screen or several.',
            status: 'configuration',
            how: '`singleInstance` of the jurisdiction.',
            code: ['apps/server/prisma/functions/authenticate_sessions.sql'],
            tests: [ONE_GAME],
          },
          {
            clause: '2.18',
            requirement:
              'At least 2.5 seconds from the start of a game to the start of the next; the button is released and pressed for each, and holding it starts nothing.',
            status: 'configuration',
            how: '`minimumRoundDuration: 2500` of the jurisdiction; the server refuses an earlier play. `requireStartRelease`: a press for each round.',
            code: ['apps/server/prisma/functions/open_rounds.sql'],
            tests: [
              MINIMUM_DURATION,
              PRESS_OF_ITS_OWN,
              'apps/demo-slot/src/game/actions.test.ts > spins and stops with the space bar, once for each press',
            ],
          },
          {
            clause: '2.19',
            requirement:
              'The player cannot shorten the time to the result: no turbo, quick spin or slam stop, except in features without a new stake.',
            status: 'configuration',
            how: '`disabledTurbo`, `disabledSuperTurbo` and `disabledSlamstop` of the jurisdiction.',
            code: ['apps/demo-slot/src/game/permissions.ts'],
            tests: ['apps/demo-slot/src/game/permissions.test.ts > … decides about …', RESTRICTED_SLOT],
          },
          {
            clause: '2.20',
            requirement: 'No sound or picture of a win for a return of at most the last bet.',
            status: 'configuration',
            how: '`disabledLossCelebration` of the jurisdiction. Other front ends must ensure this themselves.',
            code: ['apps/demo-slot/src/game/round/celebrate.ts'],
            tests: [NO_LOSS_CELEBRATED, NO_FALSE_WIN],
          },
          {
            clause: '2.21',
            requirement:
              'A slot session shows the net position since it began, in Canadian dollars and not in credits.',
            status: 'configuration',
            how: '`displayNetPosition` of the jurisdiction, with sessions in CAD.',
            code: ['packages/sdk/src/client/state.ts'],
            tests: [
              'packages/sdk/test/netPosition.test.ts > is what the balance has changed by, for whole and broken cost multipliers',
            ],
          },
          {
            clause: '2.22',
            requirement: 'Players can see how time passes.',
            status: 'configuration',
            how: '`displaySessionTimer` of the jurisdiction.',
            code: ['packages/sdk/src/duties.ts'],
            tests: [
              'packages/sdk/src/sessionTimer.test.ts > createSessionTimer > ticks at once and then with each full second of the session',
            ],
          },
        ],
      },
      {
        title: '4.01 to 4.30: integrity of games',
        rows: [
          {
            clause: '4.01',
            read: true,
            requirement:
              'Gaming and payments can be verified independently; logs track accounting and the state of games without a gap.',
            status: 'built',
            how: "Rounds, transfers and wallet transactions are never deleted. `books-balance` proves them in one snapshot; `reconcile` compares them with the operator's list.",
            code: ['apps/server/src/store/books/booksBalance.ts', 'apps/server/src/operators/reconcile/comparison.ts'],
            tests: [
              'apps/server/test/ledger/booksBalance.test.ts > the proof finds …',
              'apps/server/test/cli/commands/reconcile.test.ts > against an honest wallet > what is lost, changed or made up on either side is named',
            ],
            evidence: 'roundhouse books-balance',
          },
          {
            clause: '4.02',
            read: true,
            requirement:
              'Complete records for investigations, unfinished games, disputes, sessions, significant events, and changes of games and settings.',
            status: 'built',
            how: 'Rounds with their steps and wallet transactions, and significant events, are kept for ever, sessions until 30 days after their end by default (`ROUNDHOUSE_SESSION_RETENTION_DAYS`: set the time you need).',
            code: ['apps/server/src/store/operators/roundDetail.ts', 'apps/server/src/store/watch/eventKinds.ts'],
            tests: [WHOLE_ROUND, EVENT_WITH_ACTOR, WHO_CHANGED_WHAT],
            evidence: 'roundhouse audit list',
          },
          {
            clause: '4.03, 4.04, 4.07, 4.08, 4.11 to 4.16',
            requirement:
              'Not known to us. We know only that 4.03 demands a mechanism, after the standard on records and their uninterrupted logging.',
            status: 'not built',
            how: 'Read these standards and add their rows.',
          },
          {
            clause: '4.05',
            requirement: "The specification of a game has the odds of each prize and the operator's advantage.",
            status: 'built',
            how: '`verify` computes RTP, hit rate, the distribution of payouts and the odds of the highest win from the weights of the published lookup tables. `par.csv` of the evidence pack has them for each mode.',
            code: ['packages/math/src/statistics/statistics.ts', 'apps/server/src/cli/commands/evidence.ts'],
            tests: [
              RETURN_BY_HAND,
              'packages/math/src/statistics/statistics.test.ts > modeStatistics > has buckets whose probabilities add up to 1 and whose shares to the return, for any table',
            ],
            evidence: 'roundhouse verify games',
          },
          {
            clause: '4.06',
            requirement:
              'Before a bet the player finds rules, odds or return, and the unit of prizes, in understandable words.',
            status: 'built',
            how: 'The rules of the demo slot show RTP, hit rate, volatility, and the highest win with its odds and its amount in money. Other front ends must ensure this themselves.',
            code: ['apps/demo-slot/src/ui/dialogs/infoDialog.tsx', 'apps/demo-slot/src/statistics.ts'],
            tests: [
              'apps/demo-slot/math/smallEdition.test.ts > comes, like all books, with the statistics of its published files for the rules page',
            ],
          },
          {
            clause: '4.09, 4.10',
            requirement:
              'A registered laboratory certifies games, random numbers and the parts that determine and log results, and recertifies them after changes; anything deficient is corrected or withdrawn quickly.',
            status: "operator's duty",
            how: 'Roundhouse has no certificate. `maintenance` withdraws a game at once; open rounds can be finished.',
          },
          {
            clause: '4.17',
            read: true,
            requirement: 'Collusion and cheating are deterred and detected.',
            status: 'not applicable',
            how: 'Players of a slot do not play against each other.',
          },
          {
            clause: '4.18',
            read: true,
            requirement: 'Information relevant to detecting collusion and cheating is logged.',
            status: "operator's duty",
            how: "The operator API gives a player's rounds to the operator's tools.",
          },
          {
            clause: '4.19',
            read: true,
            requirement: 'Players learn how to report cheating.',
            status: "operator's duty",
            how: "On the operator's pages.",
          },
          {
            clause: '4.20',
            read: true,
            requirement:
              'Where speed matters for winning, reasonable steps are taken so that slow systems disadvantage nobody.',
            status: 'not applicable',
            how: 'The result of a slot is drawn when the play arrives, whatever its speed.',
          },
          {
            clause: '4.21',
            read: true,
            requirement:
              'Interruptions do not disadvantage players. The system says that the speed of a connection may have or seem to have an effect, recovers in time, voids bets where that is right, keeps what it needs to restore a game, and pays what was won so far or returns the bet of a game that cannot continue, whichever is better for the player.',
            status: 'built',
            how: 'A bet whose debit is uncertain is rolled back. An open round waits for its player; after the configured hours it is completed with its payout. Whoever voids it must check that its payout does not exceed its bet. The rules of the demo slot say that connection speed may delay what is shown but has no influence on results, and that an interrupted round is kept.',
            code: [
              'apps/server/src/rounds/wallets/seamless/recovery.ts',
              'apps/server/prisma/functions/void_round.sql',
              'apps/demo-slot/src/ui/dialogs/infoDialog.tsx',
            ],
            tests: [
              CHAOS,
              FAILOVER,
              RESUMED_ANYWHERE,
              COMPLETED_AT_OPERATOR,
              'e2e/tests/slotSizes.spec.ts > everything has its place at each size; the rules speak of interruptions',
            ],
            evidence: 'npm run proof -- chaos --rounds 50000 --seed 1',
          },
          {
            clause: '4.22',
            read: true,
            requirement: 'In games between players, bots are detected.',
            status: 'not applicable',
            how: 'Roundhouse has no games between players.',
          },
          {
            clause: '4.23',
            read: true,
            requirement: 'No player is disadvantaged unfairly by another.',
            status: 'not applicable',
            how: 'Players do not play against each other. Sessions and players can be ended (GLI-19 2.4.1).',
          },
          {
            clause: '4.24',
            read: true,
            requirement:
              'Games work as specified and as described to the player: each outcome is possible in each play, with a probability that depends on no history, player or other factor.',
            status: 'built',
            how: 'Each mode has one lookup table, read at each draw. Its statistics are computed from the same files.',
            code: ['packages/math/src/draw/weightedDraw.ts', 'apps/server/src/rounds/play/play.ts'],
            tests: [EXACT_DRAW, FAIR_DRAW, RETURN_BY_HAND],
            evidence: 'roundhouse verify games',
          },
          {
            clause: '4.25',
            read: true,
            requirement: 'A bet is committed before its outcome is determined; a later bet is returned.',
            status: 'built',
            how: 'The request commits the bet, then draws, then debits. Nobody learns the result before the debit is stored, and the draw of a refused play is discarded. The order of draw and debit is a question for the lab.',
            code: ['apps/server/src/rounds/play/play.ts'],
            tests: [
              'apps/server/src/rounds/play/play.test.ts > the drawn book is given up when, and only when, the play is refused',
            ],
          },
          {
            clause: '4.26',
            read: true,
            requirement:
              'The random selection is seeded well, independent of bet, load and other instances; a failure is noticed and handled quickly.',
            status: 'built',
            how: 'Chain from the seed to the book: docs/compliance/rng.md. Tests at start and every hour stop new rounds if they fail.',
            code: [
              'packages/math/src/draw/random.ts',
              'packages/math/src/draw/weightedDraw.ts',
              'apps/server/src/rounds/play/randomHealth.ts',
            ],
            tests: [
              EXACT_DRAW,
              'apps/server/test/rounds/play/randomHealth.test.ts > a node whose source … starts, opens no round, and lets open ones end',
            ],
          },
          {
            clause: '4.27',
            read: true,
            requirement: 'The random selection can be monitored and inspected.',
            status: 'built',
            how: 'The code is open, `rng dump` writes its output, and a metric and significant events have the test results.',
            code: ['apps/server/src/cli/commands/rng.ts', 'packages/math/src/draw/random.ts'],
            tests: [
              'apps/server/test/cli/rngDump.test.ts > scaled draws are positions of the lookup table, by its weights, as bytes or as text',
            ],
            evidence: 'roundhouse rng dump --raw --bytes 1MB --out raw.bin',
          },
          {
            clause: '4.28',
            read: true,
            requirement:
              'The terms of play do not change within a session unless the player is informed before betting; the state of a game of several states is shown.',
            status: 'built',
            how: 'A session keeps its game version and jurisdiction. Free spins show how many are left.',
            code: ['apps/server/src/rounds/sessions/launchSession.ts'],
            tests: [
              'apps/server/test/rounds/play/authenticate.test.ts > authenticate > has the jurisdiction of the game, with that of the operator when the session is issued',
              'apps/demo-slot/src/game/resume.test.ts > restores scene, counters and board when free spins are resumed',
            ],
          },
          {
            clause: '4.29',
            read: true,
            requirement: 'Sessions are secured and checked for authenticity.',
            status: 'built',
            how: 'A sessionID has at least 128 random bits, is verified with its operator, and is kept as a hash.',
            code: [
              'apps/server/src/rounds/sessions/sessionToken.ts',
              'apps/server/src/rounds/sessions/resolveSession.ts',
            ],
            tests: [
              'apps/server/test/rounds/sessions/sessions.test.ts > a sessionID > is a credential: the database keeps only its SHA-256',
              'apps/server/test/rounds/wallets/life.test.ts > a session that the server has not seen > is verified by the operator of its prefix, which names the player',
            ],
          },
          {
            clause: '4.30',
            read: true,
            requirement: 'A session ends automatically after a time without activity.',
            status: 'built',
            how: 'After 30 minutes, or the time that the operator or the jurisdiction (`idleTimeout`) sets.',
            code: ['apps/server/prisma/views/session_refusals.sql'],
            tests: [
              'apps/server/test/rounds/sessions/sessions.test.ts > the session time-out > is 30 minutes by default',
              IDLE_TIMEOUT,
            ],
          },
        ],
      },
    ],
  },
];
