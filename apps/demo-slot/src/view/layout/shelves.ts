export type Tile = { readonly width: number; readonly height: number };
export type Place = { readonly x: number; readonly y: number };

/** So that linear filtering never fetches a neighbour's texel. */
const GAP = 4;

/**
 * Places tiles row by row on a sheet of this width, the tallest first. Returns the places in the
 * order of the tiles, and the height that is used.
 */
export function packShelves(tiles: readonly Tile[], sheetWidth: number): { places: Place[]; height: number } {
  const order = tiles.map((_, index) => index).sort((a, b) => (tiles[b]?.height ?? 0) - (tiles[a]?.height ?? 0));
  const places: Place[] = tiles.map(() => ({ x: 0, y: 0 }));
  let x = GAP;
  let y = GAP;
  let shelf = 0;
  for (const index of order) {
    const tile = tiles[index];
    if (tile === undefined) continue;
    if (tile.width + 2 * GAP > sheetWidth) throw new RangeError(`a tile of ${tile.width} is wider than the sheet`);
    if (x + tile.width + GAP > sheetWidth) {
      x = GAP;
      y += shelf + GAP;
      shelf = 0;
    }
    places[index] = { x, y };
    x += tile.width + GAP;
    shelf = Math.max(shelf, tile.height);
  }
  return { places, height: y + shelf + GAP };
}
