// Which part may know which: ARCHITECTURE.md draws it, this file checks it in `npm test`. Every
// rule says why. The workspace must be built: across packages an import is followed to what the
// package exports, which is its dist/.
const { WINGS } = require('./scripts/wings.cjs');

const WORKSPACE = '^(packages|apps|games|e2e|deploy/observability)/';
const UNPUBLISHED = '^packages/(service|dev-postgres|fault-injection|aggregators|dialects|fleet)/';
const TESTS = ['[.]test[.][jt]sx?$', '/test/', '/vitest[.]config[.]ts$'];

/** A rule that a part of the workspace knows, of the rest of it, only the parts named. */
function knowsOnly({ name, part, others, comment }) {
  return {
    name,
    severity: 'error',
    comment,
    from: { path: part },
    to: { path: WORKSPACE, pathNot: [part, ...others] },
  };
}

/**
 * A rule that in the server src/<wing> imports, of the other wings, only those that it may import.
 */
function serverWing([wing, mayImport]) {
  return {
    name: `server-${wing}-keeps-its-directions`,
    severity: 'error',
    comment: 'The table of directions, scripts/wings.cjs, keeps the server without circles.',
    from: { path: `^apps/server/src/${wing}/`, pathNot: TESTS },
    to: { path: '^apps/server/src/', pathNot: `^apps/server/src/(${[wing, ...mayImport].join('|')})/` },
  };
}

/**
 * A rule that in the demo slot one room does not know others: src/<room> must not import
 * src/<others>.
 */
function demoSlotRoom({ room, mustNotKnow, comment }) {
  return {
    name: `demo-slot-${room}-stays-apart`,
    severity: 'error',
    comment,
    from: { path: `^apps/demo-slot/src/${room}/`, pathNot: TESTS },
    to: { path: `^apps/demo-slot/src/(${mustNotKnow.join('|')})` },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that import each other cannot be read, tested or moved alone.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'The other rules cannot check an import that is not found. Is the workspace built?',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-deep-import',
      severity: 'error',
      comment: 'Users of a package import its entries only, so its other files may change freely.',
      from: { path: '^(packages|apps|games)/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/',
        pathNot: [
          '^$1/$2/',
          '^packages/[^/]+/dist/index[.](js|d[.]ts)$',
          '^packages/brand/(brand[.]css|logo[.]svg)$',
          '^packages/contract/dist/light[.](js|d[.]ts)$',
          '^packages/contract/dist/admin/(index|adminRoutes)[.](js|d[.]ts)$',
          '^packages/wallet-check/dist/(fakeWallet/fakeWallet|wire/(amounts|walletHttp))[.](js|d[.]ts)$',
          '^packages/sdk/dist/(duties|events|fairness|fun|grants|input)[.](js|d[.]ts)$',
        ],
      },
    },
    {
      name: 'no-dev-dependency-at-run-time',
      severity: 'error',
      comment:
        'An installation for production has no devDependencies. The pages are bundles: what they need is inside. ' +
        'scripts/vendor.mjs copies the packages that are not published into the apps.',
      from: { path: '^(packages|apps)/[^/]+/src/', pathNot: [...TESTS, '^apps/(console|demo-slot|player|verifier)/'] },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: ['node_modules/@types/', UNPUBLISHED],
      },
    },

    knowsOnly({
      name: 'contract-imports-no-other-part',
      part: '^packages/contract/',
      others: [],
      comment: 'Both ends of the wire import it. What it imports, every browser and wallet imports too.',
    }),
    {
      name: 'contract-needs-zod-and-ts-rest-only',
      severity: 'error',
      comment: 'It runs in browsers and in servers: no Node module, and no library besides zod and ts-rest.',
      from: { path: '^packages/contract/src/', pathNot: TESTS },
      to: { pathNot: [WORKSPACE, 'node_modules/(zod|@ts-rest/core)/'] },
    },
    knowsOnly({
      name: 'math-knows-fair',
      part: '^packages/math/',
      others: ['^packages/fair/'],
      comment:
        'A server, a command and a reviewer verify and draw published math in the same way, without players and without HTTP. ' +
        'What a commitment to a table consists of is said once, beside its verifier.',
    }),
    knowsOnly({
      name: 'fair-imports-no-other-part',
      part: '^packages/fair/',
      others: [],
      comment: 'A player checks rounds with it: it must run in a page, offline, and be short enough to read.',
    }),
    {
      name: 'fair-needs-no-library',
      severity: 'error',
      comment: 'A verifier with dependencies asks for trust in all of them. Its command alone reads files, by Node.',
      from: { path: '^packages/fair/src/', pathNot: TESTS },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer'] },
    },
    knowsOnly({
      name: 'fault-injection-knows-the-contract',
      part: '^packages/fault-injection/',
      others: ['^packages/contract/'],
      comment: 'It stands in front of the game protocol and of any wallet, so it imports the code of neither.',
    }),
    knowsOnly({
      name: 'wallet-check-knows-the-contract',
      part: '^packages/wallet-check/',
      others: ['^packages/contract/'],
      comment:
        "It checks the wallet of another company by the contract alone. With the server's code it would repeat the server's mistakes. " +
        'Only wire/ is common: a check that reads bytes otherwise than the server passes wallets that the server cannot read.',
    }),
    knowsOnly({
      name: 'aggregators-know-the-wire',
      part: '^packages/aggregators/',
      others: ['^packages/(contract|fault-injection|wallet-check)/'],
      comment:
        "A simulator stands for another company, and the rules check one. With the server's code they would repeat its mistakes.",
    }),
    knowsOnly({
      name: 'dialects-know-the-wire',
      part: '^packages/dialects/',
      others: ['^packages/(contract|wallet-check)/'],
      comment: 'A dialect translates. It stores nothing, so it knows no server.',
    }),
    {
      name: 'dialects-know-the-port',
      severity: 'error',
      comment: 'A dialect imports no other dialect.',
      from: { path: '^packages/dialects/src/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^packages/dialects/src/',
        pathNot: ['^packages/dialects/src/$1/', '^packages/dialects/src/[^/]+[.]ts$'],
      },
    },
    knowsOnly({
      name: 'fleet-knows-the-contract',
      part: '^packages/fleet/',
      others: ['^packages/contract/'],
      comment:
        'Where a player is follows from the fleet and the player alone, so a node, a router and a command agree.',
    }),
    knowsOnly({
      name: 'create-roundhouse-game-imports-no-other-part',
      part: '^packages/create-roundhouse-game/',
      others: [],
      comment: '`npm create` downloads it each time: it copies files and brings nothing else along.',
    }),
    knowsOnly({
      name: 'service-imports-no-other-part',
      part: '^packages/service/',
      others: [],
      comment: 'Every server process uses it, whatever the process does.',
    }),
    knowsOnly({
      name: 'dev-postgres-knows-service',
      part: '^packages/dev-postgres/',
      others: ['^packages/service/'],
      comment: 'Local work, tests and benches of every app start it.',
    }),
    {
      name: 'only-local-knows-dev-postgres',
      severity: 'error',
      comment: '`serve` uses the PostgreSQL of DATABASE_URL and loads no code that starts one.',
      from: {
        path: '^(packages|apps)/[^/]+/src/',
        pathNot: [...TESTS, '^(packages/dev-postgres|apps/bench)/', '^apps/server/src/(local/|cli/commands/dev[.]ts$)'],
      },
      to: { path: '^packages/dev-postgres/' },
    },
    knowsOnly({
      name: 'sdk-knows-the-contract',
      part: '^packages/sdk/',
      others: ['^packages/contract/'],
      comment: 'A game sees the server only over the wire.',
    }),
    knowsOnly({
      name: 'server-knows-its-packages',
      part: '^apps/server/',
      others: [
        '^packages/(contract|fair|math|fault-injection|service|wallet-check|aggregators|dialects|fleet|dev-postgres)/',
        '^deploy/observability/dist/',
      ],
      comment: 'The server serves any game, any front end and any operator, so it knows none of them.',
    }),
    knowsOnly({
      name: 'bench-knows-what-it-measures',
      part: '^apps/bench/',
      others: [
        '^packages/(contract|fair|math|fault-injection|service|aggregators|fleet|dev-postgres)/',
        '^apps/server/dist/',
      ],
      comment: 'It measures the built server from outside, and uses its tables to fill a database.',
    }),
    {
      name: 'server-knows-no-alerts',
      severity: 'error',
      comment: 'Rules and dashboards read what the server reports. Only the proof of the alerts has both.',
      from: { path: '^apps/server/', pathNot: '^apps/server/test/proofs/alerts/' },
      to: { path: '^deploy/observability/' },
    },
    knowsOnly({
      name: 'operator-knows-the-interface',
      part: '^apps/operator/',
      others: ['^packages/(brand|contract|fault-injection|service|dev-postgres|wallet-check|aggregators)/'],
      comment:
        'The reference operator stands for another company: it has the interface and its check, fault injection, the brand, and what any server process needs.',
    }),
    {
      name: 'operator-is-checked-by-aggregators',
      severity: 'error',
      comment: 'Its tests have the rules of a dialect. Its wallet has no code of the simulator, which they check too.',
      from: { path: '^apps/operator/', pathNot: TESTS },
      to: { path: '^packages/aggregators/' },
    },
    knowsOnly({
      name: 'player-knows-the-sdk',
      part: '^apps/player/',
      others: ['^packages/(brand|sdk)/'],
      comment: 'The page plays any game of any server, so it knows what a studio knows.',
    }),
    knowsOnly({
      name: 'verifier-knows-fair',
      part: '^apps/verifier/',
      others: ['^packages/(brand|fair)/'],
      comment: 'The page checks what a server says, so it has no code of a server, and works without one.',
    }),
    knowsOnly({
      name: 'console-knows-the-contract',
      part: '^apps/console/',
      others: ['^packages/(brand|contract)/'],
      comment: 'The page has no code of the server: what it knows and what it may do crosses the wire.',
    }),
    knowsOnly({
      name: 'demo-slot-knows-the-sdk',
      part: '^apps/demo-slot/src/',
      others: ['^packages/sdk/', '^apps/demo-slot/rules[.]'],
      comment: 'The demo shows what a studio can do with the SDK alone.',
    }),
    knowsOnly({
      name: 'demo-slot-generator-knows-math',
      part: '^apps/demo-slot/math/',
      others: ['^packages/math/', '^apps/demo-slot/rules[.]'],
      comment: "A game's generator writes published math; it draws nothing on a screen and calls no server.",
    }),
    knowsOnly({
      name: 'demo-slot-rules-import-no-other-part',
      part: '^apps/demo-slot/rules[.]',
      others: [],
      comment:
        'The generator and the game share the rules. They are data, so that neither reaches the other through them.',
    }),
    demoSlotRoom({
      room: 'game',
      mustNotKnow: ['view', 'ui', 'audio'],
      comment: 'The game decides what is shown and when, through ports, so that it is tested without a screen.',
    }),
    demoSlotRoom({
      room: 'view',
      mustNotKnow: ['ui', 'audio', 'texts', 'game/(?!ports[.]ts)'],
      comment: 'The view shows what the game has decided.',
    }),
    demoSlotRoom({
      room: 'ui',
      mustNotKnow: ['view', 'audio', 'game/(?!(gameModel|model|money)[.]ts)'],
      comment: 'The buttons use the model, the actions and the amounts of the game, and nothing else of it.',
    }),
    {
      name: 'only-view-knows-pixi',
      severity: 'error',
      comment: 'The rules of the game are read and tested without a drawing library.',
      from: { path: '^apps/demo-slot/', pathNot: '^apps/demo-slot/src/view/' },
      to: { path: 'node_modules/pixi[.]js/' },
    },
    {
      name: 'only-ui-knows-preact',
      severity: 'error',
      comment: 'The game offers signals, so the library that draws the buttons can be replaced.',
      from: { path: '^apps/demo-slot/', pathNot: '^apps/demo-slot/src/ui/' },
      to: { path: 'node_modules/(preact|@preact/signals)/' },
    },
    {
      name: 'view-knows-no-money',
      severity: 'error',
      comment: 'Amounts reach the picture as texts, or as micros with the function that writes them.',
      from: { path: '^apps/demo-slot/src/view/', pathNot: TESTS },
      to: { path: '^packages/sdk/', pathNot: '^packages/sdk/dist/events[.](js|d[.]ts)$' },
    },
    knowsOnly({
      name: 'games-know-math',
      part: '^games/',
      others: ['^packages/math/'],
      comment: "A game's generator writes published math and needs nothing of what serves it.",
    }),
    knowsOnly({
      name: 'observability-stays-outside',
      part: '^deploy/observability/',
      others: [],
      comment: 'Rules and dashboards know the names of metrics, and no code. Tests compare the names.',
    }),
    {
      name: 'rules-need-no-library',
      severity: 'error',
      comment: 'The proof of the alerts imports the rules, without the library of the dashboards.',
      from: { path: '^deploy/observability/src/(index|programs|queriesOf|rules/[^/]+)[.]ts$', pathNot: TESTS },
      to: { path: 'node_modules/', pathNot: 'node_modules/@types/' },
    },
    knowsOnly({
      name: 'e2e-stays-outside',
      part: '^e2e/',
      others: ['^packages/(wallet-check|fair)/'],
      comment:
        "Browser tests use the pages as a player does; an operator's wallet beside them is one that misbehaves. " +
        'Documents for the verifier are drawn by the scheme.',
    }),

    ...Object.entries(WINGS).map(serverWing),
    {
      name: 'only-play-and-app-know-fair-draws',
      severity: 'error',
      comment: 'Fair draws are off by default: what the server does without them must not depend on them.',
      from: {
        path: '^apps/server/src/',
        pathNot: [...TESTS, '^apps/server/src/(rounds/(fair|play)/|node/app[.]ts$)'],
      },
      to: { path: '^apps/server/src/rounds/fair/' },
    },
    {
      name: 'only-cli-and-its-process-know-the-console',
      severity: 'error',
      comment: 'The server for players works the same without it: only what starts it imports it.',
      from: {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/(staff/|cli/|node/workers/consoleProcess[.]ts$)', ...TESTS],
      },
      to: { path: '^apps/server/src/staff/' },
    },
    {
      name: 'workers-get-options-as-data',
      severity: 'error',
      comment: 'A worker gets its options as data. Local work and what only a command does stay out of its process.',
      from: { path: '^apps/server/src/node/workers/', pathNot: TESTS },
      to: { path: '^apps/server/src/(local|lab/(evidence|sheet))/' },
    },
    {
      name: 'opentelemetry-is-loaded-on-demand',
      severity: 'error',
      comment: 'Without an endpoint no library of it may be loaded: watch/tracing imports the SDK dynamically.',
      from: { path: '^(packages|apps)/', pathNot: [...TESTS, '^apps/server/src/watch/tracing/'] },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'only-metrics-know-prom-client',
      severity: 'error',
      comment: 'What counts, and by which labels, is found in one room. The others call observers.',
      from: {
        path: '^(packages|apps)/[^/]+/src/',
        pathNot: ['^apps/server/src/(watch/metrics/|node/workers/|router/routerMetrics[.]ts$)', ...TESTS],
      },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'only-routes-know-express',
      severity: 'error',
      comment: 'The rules of sessions, wallets and the ledger are tested without a server.',
      from: {
        path: '^apps/server/src/',
        pathNot: [
          '^apps/server/src/(base/http|node|rounds/(play|fair)|rounds/sessions/(inSession|maintenanceFirst|roundStops)[.]ts|operators/(api|dialectApi)|staff/console|local|router)(/|$)',
          '^apps/server/src/(rounds/games/frontendRouter|staff/access/[^/]+)[.]ts$',
          ...TESTS,
        ],
      },
      to: { path: 'node_modules/(@types/)?(express|express-serve-static-core|helmet)(/|$)' },
    },
    {
      name: 'only-ledger-and-store-know-the-database',
      severity: 'error',
      comment: 'Every statement that moves money is found in the ledger, every other one in the store.',
      from: { path: '^apps/server/src/', pathNot: ['^apps/server/src/(ledger|store)/', ...TESTS] },
      to: { path: ['node_modules/(@types/)?(@prisma/[^/]+|pg|pg-[^/]+)(/|$)', '^apps/server/src/store/generated/'] },
    },
    {
      name: 'only-entrances-start-the-server',
      severity: 'error',
      comment: 'node/server.ts and node/app.ts wire everything; what they wire must not import them.',
      from: {
        path: '^apps/server/src/',
        pathNot: ['^apps/server/src/(main[.]ts$|node/(server|workers/startServing)[.]ts$|cli/)', ...TESTS],
      },
      to: { path: '^apps/server/src/(node/(server|app)|main)[.]ts$' },
    },
  ],
  options: {
    // The parts of a template find each other only in the game that is made of them; its own types
    // are checked there.
    exclude: { path: '^(packages/create-roundhouse-game/([.]scaffolded|templates)|games/clusters/project)/' },
    doNotFollow: { path: ['node_modules', '/dist/', '/generated/', '^apps/server/pages/'] },
    // Type imports count: what a file knows by type alone, it knows.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
