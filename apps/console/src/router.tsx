import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { accountQuery } from './api.ts';
import { SignedOutError } from './lib/errors.ts';
import { parseSearch, type Search, stringifySearch } from './lib/search.ts';
import { queryClient } from './queryClient.ts';
import { NotFound, PageError, PagePending } from './shell/PageStates.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search): Search => search as Search,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
});
const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./pages/welcome/WelcomePage.tsx'), 'WelcomePage'),
});

/** All pages below need a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(accountQuery);
    } catch (error) {
      if (error instanceof SignedOutError) throw redirect({ to: '/sign-in', search: { next: location.href } });
      throw error;
    }
  },
  component: Shell,
});

/** Each page is a separate bundle, with the styles of the whole component library. */
function page<Loaded extends Record<Name, RouteComponent>, Name extends string>(
  load: () => Promise<Loaded>,
  name: Name,
) {
  return lazyRouteComponent(async () => (await Promise.all([load(), import('./styles/rest.ts')]))[0], name);
}

const pages = Object.entries({
  '/': lazyRouteComponent(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  '/search': page(() => import('./pages/search/SearchPage.tsx'), 'SearchPage'),
  '/rounds': page(() => import('./pages/rounds/RoundsPage.tsx'), 'RoundsPage'),
  '/rounds/$betID': page(() => import('./pages/round/RoundPage.tsx'), 'RoundPage'),
  '/players': page(() => import('./pages/players/PlayersPage.tsx'), 'PlayersPage'),
  '/players/$operator/$playerID': page(() => import('./pages/player/PlayerPage.tsx'), 'PlayerPage'),
  '/wallet-transactions': page(
    () => import('./pages/wallet-transactions/WalletTransactionsPage.tsx'),
    'WalletTransactionsPage',
  ),
  '/reconcile': page(() => import('./pages/reconcile/ReconcilePage.tsx'), 'ReconcilePage'),
  '/games': page(() => import('./pages/games/GamesPage.tsx'), 'GamesPage'),
  '/games/$gameID': page(() => import('./pages/game/GamePage.tsx'), 'GamePage'),
  '/operators': page(() => import('./pages/operators/OperatorsPage.tsx'), 'OperatorsPage'),
  '/operators/$code': page(() => import('./pages/operator/OperatorPage.tsx'), 'OperatorPage'),
  '/reports': page(() => import('./pages/reports/ReportsPage.tsx'), 'ReportsPage'),
  '/events': page(() => import('./pages/events/EventsPage.tsx'), 'EventsPage'),
  '/free-rounds': page(() => import('./pages/free-rounds/FreeRoundsPage.tsx'), 'FreeRoundsPage'),
  '/free-rounds/$operator/$campaignID': page(() => import('./pages/campaign/CampaignPage.tsx'), 'CampaignPage'),
  '/users': page(() => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
  '/account': page(() => import('./pages/account/AccountPage.tsx'), 'AccountPage'),
  '/approvals': page(() => import('./pages/approvals/ApprovalsPage.tsx'), 'ApprovalsPage'),
  $: NotFound,
}).map(([path, component]) => createRoute({ getParentRoute: () => signedIn, path, component }));

export const router = createRouter({
  routeTree: root.addChildren([signIn, welcome, signedIn.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Merges with the library's Register.
  interface Register {
    router: typeof router;
  }
}
