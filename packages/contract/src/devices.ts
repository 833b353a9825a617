/** The devices a game can be launched for (interface document, section 1 "Game launch URL"). */
export const DEVICES = ['mobile', 'desktop'] as const;

export type Device = (typeof DEVICES)[number];

/** The device that a launch parameter names, whatever its case; anything unknown or missing is a desktop. */
export function toDevice(value: string | null | undefined): Device {
  return (value ?? '').trim().toLowerCase() === 'mobile' ? 'mobile' : 'desktop';
}
