import './celebration.css';
import bubble from './art/bubble.svg';
import pearl from './art/pearl.svg';
import { h } from './dom.ts';
import { isCalm } from './motion.ts';
import { rising } from './reef.ts';
import { drawTitle } from './wordmark.ts';

const HOLD_MS = 1800;
const RISING = 36;

/** From this amount on, in hundredths of the bet, a win has this title and counts so long. */
export type Tier = { from: number; title: string; countMs: number };

/** Amounts are in hundredths of the bet. */
type Win = { amount: number; tiers: readonly Tier[]; textOf: (amount: number) => string };

/**
 * Celebrates a large win over the whole page: its title rises from tier to tier while the amount
 * counts up. A press anywhere counts to the end, and the next one closes it. What is pressed gets
 * the press, too.
 */
export function createCelebration(): { show(win: Win): void; end(): void; ended(): Promise<void> } {
  const title = h('div', { className: 'title' });
  const amount = h('div', { className: 'amount' });
  const fountain = Array.from({ length: RISING }, (_, place) => {
    const random = { x: 100 * Math.random(), size: 0.4 + Math.random(), wait: 4 * Math.random() };
    return rising(place % 3 === 0 ? pearl : bubble, random);
  });
  const panel = h('div', { className: 'panel' }, title, amount);
  const root = h('div', { className: 'celebration', hidden: true, ariaHidden: 'true' });
  root.append(h('div', { className: 'rays' }), h('div', { className: 'dark' }), ...fountain, panel);
  document.body.append(root);

  let onEnd: (() => void)[] = [];
  let current: (Win & { countMs: number; startMs: number; tier: Tier | undefined }) | undefined;

  const entitle = (tier: Tier) => {
    title.textContent = tier.title;
    drawTitle(title);
    root.dataset.tier = String(current?.tiers.indexOf(tier));
    if (!isCalm()) title.animate([{ scale: 0.3, opacity: 0 }, {}], { duration: 600, easing: 'cubic-bezier(.2, 1.8, .4, 1)' });
  };
  const frame = (nowMs: number) => {
    if (current === undefined) return;
    const { tiers, countMs, startMs, textOf } = current;
    const share = Math.min(1, Math.max(0, nowMs - startMs) / countMs);
    const shown = Math.round(current.amount * share ** 1.5);
    const tier = tiers.findLast(({ from }) => shown >= from) ?? tiers[0];
    if (tier !== undefined && tier !== current.tier) entitle(tier);
    current.tier = tier;
    amount.textContent = textOf(shown);
    if (nowMs > startMs + countMs + HOLD_MS) end();
    else requestAnimationFrame(frame);
  };
  const end = () => {
    current = undefined;
    root.hidden = true;
    for (const each of onEnd) each();
    onEnd = [];
  };
  const press = () => {
    if (current === undefined) return;
    const isCounted = performance.now() > current.startMs + current.countMs;
    if (isCounted) end();
    else current.startMs = performance.now() - current.countMs;
  };
  addEventListener('pointerdown', press);
  addEventListener('keydown', press);

  return {
    show(win) {
      const reached = win.tiers.findLast(({ from }) => win.amount >= from);
      current = { ...win, countMs: isCalm() ? 0 : (reached?.countMs ?? 0), startMs: performance.now(), tier: undefined };
      root.hidden = false;
      requestAnimationFrame(frame);
    },
    end,
    ended() {
      return current === undefined ? Promise.resolve() : new Promise((resolve) => onEnd.push(resolve));
    },
  };
}
