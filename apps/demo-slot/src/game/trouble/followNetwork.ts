import type { Table } from '../table.ts';
import type { Troubles } from './troubles.ts';

/**
 * Shows when the connection is lost, and retries when it is back. Returns the function that stops
 * it.
 */
export function followNetwork({ store, page }: Table, troubles: Troubles): () => void {
  store.offline.value = !page.isOnline();
  return page.onOnline((online) => {
    store.offline.value = !online;
    const dialog = store.dialog.peek();
    const waitsForNetwork = dialog?.kind === 'trouble' && dialog.trouble === 'noNetwork';
    if (online && waitsForNetwork && dialog.remedy === 'again') troubles.remedy();
  });
}
