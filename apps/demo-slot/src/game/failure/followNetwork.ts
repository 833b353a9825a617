import type { Table } from '../table.ts';
import type { Failures } from './failures.ts';

/**
 * Shows when the connection is lost, and retries when it is back. Returns the function that stops
 * it.
 */
export function followNetwork({ store, page }: Table, failures: Failures): () => void {
  store.offline.value = !page.isOnline();
  return page.onOnline((online) => {
    store.offline.value = !online;
    const dialog = store.dialog.peek();
    const waitsForNetwork = dialog?.kind === 'failure' && dialog.failure === 'noNetwork';
    if (online && waitsForNetwork && dialog.remedy === 'again') failures.remedy();
  });
}
