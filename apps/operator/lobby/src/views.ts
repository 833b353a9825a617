import { signal } from '@preact/signals';

/** The views that a launch links to. Their addresses are this page with one of these names. */
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
 * A game may open such an address in its own frame. Then the lobby around the frame shows the view.
 * Returns true if the lobby has taken it over, and this page shows nothing.
 */
export function handToParent(page: Page): boolean {
  if (page.parent === (page as unknown)) return false;
  try {
    const parent: Page & Receiver = page.parent;
    // Throws if the page around the frame is of another site.
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
  /** Reloads the game, because its frame has shown the lobby. */
  reloadGame: () => void;
};

/** Returns what the page shows above the games, on behalf of a game. */
export function createViewsModel({ closeGame, reloadGame }: Deps) {
  const shown = signal<View | undefined>(undefined);
  return {
    shown,
    /** @param isFromFrame the game opened it in its own frame */
    open(view: View, isFromFrame = false): void {
      shown.value = view === 'lobby' ? undefined : view;
      if (view === 'lobby') closeGame();
      else if (isFromFrame) reloadGame();
    },
    close(): void {
      shown.value = undefined;
    },
    /** Listens for views that pages in the frame hand over. */
    listen(target: Pick<Window, 'addEventListener'>): void {
      target.addEventListener(EVENT, (event) => this.open((event as CustomEvent<View>).detail, true));
    },
  };
}
