import { signal } from '@preact/signals';

/** Where a game leads: the addresses of its launch are those of this page with one of these. */
const VIEWS = ['lobby', 'cashier', 'statement', 'responsible'] as const;
export type View = (typeof VIEWS)[number];

/** Returns the view that the address of the page names. */
export function viewOf(search: string): View | undefined {
  const named = new URLSearchParams(search).get('view');
  return VIEWS.find((view) => view === named);
}

type Page = Pick<Window, 'location' | 'parent'>;
type Receiver = Pick<Window, 'dispatchEvent'>;

const EVENT = 'lobbyview';

/**
 * A game may open such an address in its own frame. Then the lobby around the frame is to show the
 * view. True: it was told, and this page shows nothing.
 */
export function handToParent(page: Page): boolean {
  if (page.parent === (page as unknown)) return false;
  try {
    const parent: Page & Receiver = page.parent;
    // Throws when the page around the frame is somebody else's.
    if (parent.location.pathname !== page.location.pathname) return false;
    parent.dispatchEvent(new CustomEvent(EVENT, { detail: viewOf(page.location.search) ?? 'lobby' }));
    return true;
  } catch {
    return false;
  }
}

type Deps = {
  /** Closes the game in the frame. */
  closeGame: () => void;
  /** Loads the game again: its frame has shown the lobby. */
  reloadGame: () => void;
};

/** Returns what the page shows above the games, on behalf of a game. */
export function createViewsModel({ closeGame, reloadGame }: Deps) {
  const shown = signal<View | undefined>(undefined);
  return {
    shown,
    /** @param isFromFrame the frame of the game was used for it */
    open(view: View, isFromFrame = false): void {
      shown.value = view === 'lobby' ? undefined : view;
      if (view === 'lobby') closeGame();
      else if (isFromFrame) reloadGame();
    },
    close(): void {
      shown.value = undefined;
    },
    /** Follows what pages in the frame hand over. */
    listen(target: Pick<Window, 'addEventListener'>): void {
      target.addEventListener(EVENT, (event) => this.open((event as CustomEvent<View>).detail, true));
    },
  };
}
