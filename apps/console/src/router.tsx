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
  notFoundComponent: NotFound,
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

const at = <Path extends string>(path: Path) => ({ getParentRoute: () => signedIn, path });

const pages = [
  createRoute({
    ...at('/'),
    component: lazyRouteComponent(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...at('/search'),
    component: page(() => import('./pages/search/SearchPage.tsx'), 'SearchPage'),
  }),
  createRoute({
    ...at('/rounds'),
    component: page(() => import('./pages/rounds/RoundsPage.tsx'), 'RoundsPage'),
  }),
  createRoute({
    ...at('/rounds/$betID'),
    component: page(() => import('./pages/round/RoundPage.tsx'), 'RoundPage'),
  }),
  createRoute({
    ...at('/players'),
    component: page(() => import('./pages/players/PlayersPage.tsx'), 'PlayersPage'),
  }),
  createRoute({
    ...at('/players/$operator/$playerID'),
    component: page(() => import('./pages/player/PlayerPage.tsx'), 'PlayerPage'),
  }),
  createRoute({
    ...at('/wallet-transactions'),
    component: page(() => import('./pages/wallet-transactions/WalletTransactionsPage.tsx'), 'WalletTransactionsPage'),
  }),
  createRoute({
    ...at('/reconcile'),
    component: page(() => import('./pages/reconcile/ReconcilePage.tsx'), 'ReconcilePage'),
  }),
  createRoute({
    ...at('/games'),
    component: page(() => import('./pages/games/GamesPage.tsx'), 'GamesPage'),
  }),
  createRoute({
    ...at('/games/$gameID'),
    component: page(() => import('./pages/game/GamePage.tsx'), 'GamePage'),
  }),
  createRoute({
    ...at('/operators'),
    component: page(() => import('./pages/operators/OperatorsPage.tsx'), 'OperatorsPage'),
  }),
  createRoute({
    ...at('/operators/$code'),
    component: page(() => import('./pages/operator/OperatorPage.tsx'), 'OperatorPage'),
  }),
  createRoute({
    ...at('/reports'),
    component: page(() => import('./pages/reports/ReportsPage.tsx'), 'ReportsPage'),
  }),
  createRoute({
    ...at('/events'),
    component: page(() => import('./pages/events/EventsPage.tsx'), 'EventsPage'),
  }),
  createRoute({
    ...at('/free-rounds'),
    component: page(() => import('./pages/free-rounds/FreeRoundsPage.tsx'), 'FreeRoundsPage'),
  }),
  createRoute({
    ...at('/free-rounds/$operator/$campaignID'),
    component: page(() => import('./pages/campaign/CampaignPage.tsx'), 'CampaignPage'),
  }),
  createRoute({
    ...at('/users'),
    component: page(() => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
  }),
  createRoute({
    ...at('/account'),
    component: page(() => import('./pages/account/AccountPage.tsx'), 'AccountPage'),
  }),
  createRoute({
    ...at('/approvals'),
    component: page(() => import('./pages/approvals/ApprovalsPage.tsx'), 'ApprovalsPage'),
  }),
];

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
