import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard';
import { cells } from './cells.ts';
import { database } from './database.ts';
import { games } from './games.ts';
import { nodes } from './nodes.ts';
import { overview } from './overview.ts';
import { wallets } from './wallets.ts';

/** Has each dashboard by the name of its file. */
export const dashboards: Readonly<Record<string, Dashboard>> = { overview, cells, wallets, database, games, nodes };
