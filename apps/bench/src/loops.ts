/** Does one unit of work. Its latency counts from beganMs. Resolves with whether it was done. */
export type Player = (beganMs?: number) => Promise<boolean>;

/** A refused player waits this long. */
const REFUSED_MS = 100;
/**
 * Timers are no finer. Requests that fall due meanwhile are sent late, so no latency is too short.
 */
const TICK_MS = 1;

/** `gaveUp` counts units of an open loop for which no player was free. */
type Counts = { done: number; refused: number; gaveUp: number };
type Loop = {
  seconds: number;
  arrivalsPerSecond?: number | undefined;
  /** The loop drops a unit for which no player is free. */
  givesUp?: boolean | undefined;
};

/** Each player does one unit after the other. */
export async function closedLoop(players: readonly Player[], { seconds }: Loop): Promise<Counts> {
  const counts = { done: 0, refused: 0, gaveUp: 0 };
  const endsMs = performance.now() + seconds * 1000;
  await Promise.all(
    players.map(async (play) => {
      while (performance.now() < endsMs) {
        if (await play()) counts.done += 1;
        else {
          counts.refused += 1;
          await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
        }
      }
    }),
  );
  return counts;
}

/**
 * Units fall due at random times (Poisson), and wait for a player who is free. A latency counts
 * from when its unit was due: if the server stops for a second, everybody who comes in that second
 * waits. A closed loop would send nothing meanwhile. With `givesUp` no unit waits, and a latency
 * counts from when it was sent.
 */
export function openLoop(
  players: readonly Player[],
  { seconds, arrivalsPerSecond = 1, givesUp = false }: Loop,
): Promise<Counts> {
  const counts = { done: 0, refused: 0, gaveUp: 0 };
  const free = [...players];
  /** The due times of units that wait for a player. */
  const late: number[] = [];
  let dueMs = performance.now();
  const endsMs = dueMs + seconds * 1000;
  let running = 0;
  return new Promise((resolve, reject) => {
    const begin = async (play: Player, unitDueMs: number | undefined) => {
      running += 1;
      counts[(await play(unitDueMs)) ? 'done' : 'refused'] += 1;
      running -= 1;
      free.push(play);
      beginDue();
    };
    const beginDue = () => {
      for (const nowMs = performance.now(); dueMs <= nowMs && dueMs < endsMs; dueMs += untilNextMs(arrivalsPerSecond)) {
        late.push(dueMs);
      }
      while (free.length > 0 && late.length > 0) {
        // The player that has rested longest comes first: a server closes idle connections.
        const unitDueMs = late.shift();
        void begin(free.shift() as Player, givesUp ? undefined : unitDueMs).catch(reject);
      }
      if (givesUp) {
        counts.gaveUp += late.length;
        late.length = 0;
      }
      if (dueMs >= endsMs && running === 0) resolve(counts);
    };
    const tick = () => {
      beginDue();
      if (dueMs < endsMs) setTimeout(tick, TICK_MS);
    };
    tick();
  });
}

function untilNextMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}
