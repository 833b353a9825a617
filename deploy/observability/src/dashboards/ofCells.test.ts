import { expect, it } from 'vitest';
import { ofCells } from './ofCells.ts';

it.each([
  ['sum(up)', 'sum(up{cell=~"$cell"})'],
  [
    'sum by (operator) (rate(roundhouse_plays_total{game=~"$game"}[5m])) or vector(0)',
    'sum by (operator) (rate(roundhouse_plays_total{game=~"$game",cell=~"$cell"}[5m])) or vector(0)',
  ],
  [
    '1 - max(roundhouse:plays_slow:ratio1h) / process_open_fds',
    '1 - max(roundhouse:plays_slow:ratio1h{cell=~"$cell"}) / process_open_fds{cell=~"$cell"}',
  ],
])('%s asks for the chosen cells in each selector', (expr, expected) => {
  expect(ofCells(expr)).toBe(expected);
});
