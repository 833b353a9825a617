import { expect, it, vi } from 'vitest';
import { createViewsModel, handToParent, viewOf } from './views.ts';

const at = (search: string) => ({ pathname: '/', search }) as Location;

function lobby() {
  const parent = Object.assign(new EventTarget(), { location: at('') });
  const deps = { closeGame: vi.fn(), reloadGame: vi.fn() };
  const views = createViewsModel(deps);
  views.listen(parent as never);
  return { parent, views, ...deps };
}

it.each([
  ['?view=cashier', 'cashier'],
  ['?view=other', undefined],
  ['', undefined],
])('the address %s names the view %s', (search, view) => {
  expect(viewOf(search)).toBe(view);
});

it('a page in the frame hands its view to the lobby, which loads the game again', () => {
  const { parent, views, closeGame, reloadGame } = lobby();
  expect(handToParent({ location: at('?view=cashier'), parent } as never)).toBe(true);
  expect([views.shown.value, reloadGame.mock.calls.length, closeGame.mock.calls.length]).toEqual(['cashier', 1, 0]);
});

it('the lobby itself in the frame closes the game', () => {
  const { parent, views, closeGame } = lobby();
  handToParent({ location: at(''), parent } as never);
  expect([views.shown.value, closeGame.mock.calls.length]).toEqual([undefined, 1]);
});

it('a page without a frame, or in the frame of another site, shows itself', () => {
  const alone = { location: at('?view=cashier') };
  expect(handToParent(Object.assign(alone, { parent: alone }) as never)).toBe(false);
  const foreign = {
    get location(): Location {
      throw new DOMException('another origin', 'SecurityError');
    },
  };
  expect(handToParent({ location: at(''), parent: foreign } as never)).toBe(false);
});
