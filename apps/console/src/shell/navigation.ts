import { type AdminRouteName, mayCall, type Role } from '@roundhouse/contract/admin-routes';
import {
  IconArrowsExchange,
  IconBuildingBank,
  IconCheckbox,
  IconDeviceGamepad2,
  IconGift,
  IconLayoutDashboard,
  IconListDetails,
  IconPlayCard,
  IconReportAnalytics,
  IconScale,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';

type Page = {
  label: string;
  path: string;
  icon: typeof IconGift;
  /** Users who may send this request see the page. */
  needs: AdminRouteName;
};

/** The pages of the left navigation, in groups. */
const NAVIGATION: readonly { label: string; pages: readonly Page[] }[] = [
  {
    label: 'Play',
    pages: [
      { label: 'Overview', path: '/', icon: IconLayoutDashboard, needs: 'getOverview' },
      { label: 'Rounds', path: '/rounds', icon: IconPlayCard, needs: 'listRounds' },
      { label: 'Players', path: '/players', icon: IconUserCircle, needs: 'listPlayers' },
      { label: 'Games', path: '/games', icon: IconDeviceGamepad2, needs: 'listGames' },
      { label: 'Free rounds', path: '/free-rounds', icon: IconGift, needs: 'listCampaigns' },
    ],
  },
  {
    label: 'Money',
    pages: [
      {
        label: 'Wallet transactions',
        path: '/wallet-transactions',
        icon: IconArrowsExchange,
        needs: 'listWalletTransactions',
      },
      { label: 'Reconcile', path: '/reconcile', icon: IconScale, needs: 'reconcileOperator' },
      { label: 'Reports', path: '/reports', icon: IconReportAnalytics, needs: 'getPerformance' },
    ],
  },
  {
    label: 'Control',
    pages: [
      { label: 'Operators', path: '/operators', icon: IconBuildingBank, needs: 'listOperators' },
      { label: 'Significant events', path: '/events', icon: IconListDetails, needs: 'listEvents' },
      { label: 'Approvals', path: '/approvals', icon: IconCheckbox, needs: 'listApprovals' },
      { label: 'Users', path: '/users', icon: IconUsers, needs: 'listUsers' },
    ],
  },
];

export type Rights = { role: Role; operator: string | null };

/** Returns whether this user may send the request. */
export function mayUse(name: AdminRouteName, { role, operator }: Rights): boolean {
  return mayCall(name, { role, isOperators: operator !== null });
}

/** Returns the page of the navigation that a path belongs to, if this user may not open it. */
export function closedPage(path: string, rights: Rights): Page | undefined {
  const page = NAVIGATION.flatMap(({ pages }) => pages).find((each) => isBelow(path, each.path));
  return page !== undefined && !mayUse(page.needs, rights) ? page : undefined;
}

export function isBelow(path: string, page: string): boolean {
  return page === '/' ? path === '/' : path === page || path.startsWith(`${page}/`);
}

/** Returns the pages that this user may open: only the account without an authenticator app. */
export function navigationFor(rights: Rights & { mustAddAuthenticator: boolean }) {
  if (rights.mustAddAuthenticator) return [];
  return NAVIGATION.map(({ label, pages }) => ({
    label,
    pages: pages.filter(({ needs }) => mayUse(needs, rights)),
  })).filter(({ pages }) => pages.length > 0);
}
