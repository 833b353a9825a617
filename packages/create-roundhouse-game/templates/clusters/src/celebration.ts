import './celebration.css';
import bubble from './art/bubble.svg';
import pearl from './art/page/pearl.svg';
import { h } from './dom.ts';
import { isCalm, isReduced } from './motion.ts';
import { rising } from './reef.ts';
import { drawAmount, drawTitle } from './wordmark.ts';

const HOLD_MS = 1800;
/** What is left of it after a press. */
const SKIPPED_HOLD_MS = 500;
/** A slow machine shows it longer rather than not at all. */
const LONGEST_FRAME_MS = 100;
const RISING = 36;
const RAYS_COUNT = 16;

const WEDGES = Array.from({ length: RAYS_COUNT }, (_, place) => {
  const corners = [place - 0.28, place + 0.28].map((turn) => {
    const angle = (2 * Math.PI * turn) / RAYS_COUNT;
    return `${(50 * Math.cos(angle)).toFixed(1)} ${(50 * Math.sin(angle)).toFixed(1)}`;
  });
  return `M0 0 ${corners.join(' ')}Z`;
});
const RAYS = `<svg viewBox="-50 -50 100 100"><radialGradient id="rays" gradientUnits="userSpaceOnUse" cx="0" cy="0" r="50">
  <stop stop-color="#fff" /><stop offset=".2" stop-color="currentColor" /><stop offset="1" stop-color="currentColor" stop-opacity="0" />
  </radialGradient><path fill="url(#rays)" d="${WEDGES.join('')}" /></svg>`;

/** A win of at least `from` counts up for `countMs` and then stays for `holdMs`. */
export type Tier = { from: number; title: string; countMs: number; holdMs?: number };

/** Amounts are in hundredths of the bet. `onTier` is called with the place of each tier reached. */
type Win = {
  amount: number;
  tiers: readonly Tier[];
  textOf: (amount: number) => string;
  onTier: (place: number) => void;
};

/**
 * Celebrates a large win over the whole page: its title rises from tier to tier while the amount
 * counts up. A press anywhere counts to the end, and the next one closes it. What is pressed gets
 * the press, too. Resolves when it is closed.
 */
export function createCelebration(): (win: Win) => Promise<void> {
  const title = h('div', { className: 'title' });
  const amount = h('div', { className: 'amount' });
  const fountain = Array.from({ length: RISING }, (_, place) => {
    const random = { x: 100 * Math.random(), size: 0.4 + Math.random(), wait: 4 * Math.random() };
    return rising(place % 3 === 0 ? pearl : bubble, random);
  });
  const panel = h('div', { className: 'panel' }, title, amount);
  const root = h('div', { className: 'celebration', hidden: true, ariaHidden: 'true' });
  root.append(h('div', { className: 'rays', innerHTML: RAYS }), h('div', { className: 'dark' }), ...fountain, panel);
  document.body.append(root);

  type Shown = Win & { countMs: number; holdMs: number; passedMs: number; lastMs: number; tier: Tier | undefined };
  let current: (Shown & { onEnd: () => void }) | undefined;

  const entitle = (tier: Tier) => {
    title.textContent = tier.title;
    drawTitle(title);
    const place = current?.tiers.indexOf(tier) ?? 0;
    root.dataset.tier = String(place);
    current?.onTier(place);
    if (isCalm()) return;
    title.animate([{ scale: 0.3, opacity: 0 }, {}], { duration: 600, easing: 'cubic-bezier(.2, 1.8, .4, 1)' });
  };
  const frame = (nowMs: number) => {
    if (current === undefined) return;
    const { tiers, countMs, holdMs, textOf } = current;
    current.passedMs += Math.min(LONGEST_FRAME_MS, Math.max(0, nowMs - current.lastMs));
    current.lastMs = nowMs;
    const shown = Math.round(current.amount * Math.min(1, current.passedMs / countMs) ** 1.5);
    const tier = tiers.findLast(({ from }) => shown >= from) ?? tiers[0];
    if (tier !== undefined && tier !== current.tier) entitle(tier);
    current.tier = tier;
    drawAmount(amount, textOf(shown));
    if (current.passedMs > countMs + holdMs) end();
    else requestAnimationFrame(frame);
  };
  const end = () => {
    current?.onEnd();
    current = undefined;
    root.hidden = true;
  };
  const press = () => {
    if (current === undefined) return;
    if (current.passedMs > current.countMs) return end();
    current.passedMs = current.countMs;
    current.holdMs = current.holdMs > HOLD_MS ? current.holdMs : SKIPPED_HOLD_MS;
  };
  addEventListener('pointerdown', press);
  addEventListener('keydown', press);

  return (win) =>
    new Promise((onEnd) => {
      const reached = win.tiers.findLast(({ from }) => win.amount >= from);
      const countMs = isReduced() ? 1 : (reached?.countMs ?? 1);
      const holdMs = reached?.holdMs ?? HOLD_MS;
      current = { ...win, onEnd, countMs, holdMs, passedMs: 0, lastMs: performance.now(), tier: undefined };
      root.hidden = false;
      requestAnimationFrame(frame);
    });
}
