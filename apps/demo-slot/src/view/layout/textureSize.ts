import { layoutBoard } from './boardLayout.ts';

const SMALLEST = 112;
const LARGEST = 320;

/**
 * How many texels the side of a symbol needs on this screen, whichever way it is held: chosen once,
 * so that a turned device needs no new textures. In steps of 16.
 */
export function symbolTextureSize(screen: { width: number; height: number; resolution: number }): number {
  const upright = cell(screen.width, screen.height);
  const turned = cell(screen.height, screen.width);
  const texels = Math.max(upright, turned) * screen.resolution;
  return Math.min(LARGEST, Math.max(SMALLEST, Math.ceil(texels / 16) * 16));
}

function cell(width: number, height: number): number {
  return layoutBoard({ width, height, free: { x: 0, y: 0, width, height: height * 0.86 } }).symbolSize;
}
