import {
  type Client,
  createClient,
  formatAmount,
  isRgsError,
  isSocial,
  nextBetLevel,
  previousBetLevel,
  type Round,
} from '@roundhouse/sdk';
import { holdSession } from '@roundhouse/sdk/duties';
import { createEventPlayer } from '@roundhouse/sdk/events';
import { funMode } from '@roundhouse/sdk/fun';
import { type Board, type BookEvent, LINES, REELS, ROWS, type SymbolCode } from '../math/rules.ts';

const FACES: Record<SymbolCode, string> = { W: '★', H1: '7', H2: '♥', H3: '♦', L1: 'A', L2: 'K', L3: 'Q', L4: 'J' };
const SPIN_MS = 600;
const WIN_MS = 1200;

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const board = element('board');
const message = element('message');
const balanceText = element<HTMLOutputElement>('balance');
const winText = element<HTMLOutputElement>('win');
const betText = element<HTMLOutputElement>('bet');
const [lower, raise, spinButton] = ['lower', 'raise', 'spin'].map((id) => element<HTMLButtonElement>(id)) as [
  HTMLButtonElement,
  HTMLButtonElement,
  HTMLButtonElement,
];

/** The cells go row by row. */
const cells = Array.from({ length: REELS * ROWS }, () => board.appendChild(document.createElement('div')));
const cellAt = (reel: number, row: number) => cells[row * REELS + reel] as HTMLElement;

function showBoard(shown: Board): void {
  for (const [reel, symbols] of shown.entries())
    for (const [row, symbol] of symbols.entries()) {
      const cell = cellAt(reel, row);
      cell.textContent = FACES[symbol];
      cell.dataset.symbol = symbol;
    }
}

function clearWins(): void {
  for (const cell of cells) cell.classList.remove('wins');
}

/** The bet of the shown round, in micros. Books pay hundredths of it. */
let betMicros = 0;
let isShowing = false;

const money = (client: Client, micros: number) => {
  const { currency } = client.state.balance ?? { currency: client.launch.currency ?? 'USD' };
  return formatAmount(micros, currency, { language: client.launch.language, social: isSocial(client) });
};

function createPlayer(client: Client) {
  return createEventPlayer<BookEvent>({
    reveal: async ({ board: shown }, { wait }) => {
      clearWins();
      winText.value = '';
      board.classList.add('spinning');
      await wait(SPIN_MS);
      board.classList.remove('spinning');
      showBoard(shown);
    },
    winInfo: async ({ wins }, { wait }) => {
      for (const { line, count } of wins)
        for (const [reel, row] of (LINES[line] ?? []).slice(0, count).entries())
          cellAt(reel, row).classList.add('wins');
      await wait(WIN_MS);
    },
    finalWin: ({ amount }) => {
      winText.value = amount > 0 ? money(client, (betMicros * amount) / 100) : '';
    },
  });
}

async function play(client: Client): Promise<void> {
  const player = createPlayer(client);

  const refresh = () => {
    const { balance, config, canPlay } = client.state;
    const isIdle = canPlay && !isShowing;
    spinButton.disabled = !isIdle;
    lower.disabled = !isIdle || !config || previousBetLevel(betMicros, config) === betMicros;
    raise.disabled = !isIdle || !config || nextBetLevel(betMicros, config) === betMicros;
    if (balance) balanceText.value = money(client, balance.amount);
    betText.value = money(client, betMicros);
  };

  /** Shows the round and ends it. */
  const show = async (round: Round) => {
    betMicros = round.amount;
    await player.play(round.state as BookEvent[]);
    if (round.active) await client.endRound();
  };

  /** Runs one action at a time, and says what went wrong. */
  const attempt = async (action: () => Promise<void>) => {
    isShowing = true;
    message.textContent = '';
    refresh();
    await action().catch(async (error: unknown) => {
      if (!isRgsError(error)) throw error;
      message.textContent = error.message;
      // After a lost response this shows whether the bet was taken.
      if (client.state.needsAuthenticate && error.kind !== 'session-over') await client.authenticate().catch(() => {});
    });
    isShowing = false;
    refresh();
  };

  const resume = async () => {
    const { config } = await client.authenticate();
    betMicros ||= config.defaultBetLevel;
    const { activeRound } = client.state;
    if (activeRound) await show(activeRound);
  };
  const spin = async () => {
    if (client.state.needsAuthenticate || client.state.activeRound) return resume();
    await new Promise((resolve) => setTimeout(resolve, client.msUntilNextPlay()));
    const { round } = await client.play({ amount: betMicros, mode: 'BASE' });
    await show(round);
  };

  void holdSession(client).then(() => {
    const playHere = Object.assign(document.createElement('button'), { textContent: 'Play here' });
    playHere.onclick = () => location.reload();
    document.body.replaceChildren('The game is open in another tab. If you play here, it stops there.', playHere);
  });
  client.subscribe(refresh);
  const changeBet = (next: typeof nextBetLevel) => {
    if (client.state.config) betMicros = next(betMicros, client.state.config);
    refresh();
  };
  lower.onclick = () => changeBet(previousBetLevel);
  raise.onclick = () => changeBet(nextBetLevel);
  spinButton.onclick = () => void attempt(spin);
  await attempt(resume);
}

/** A launch URL may show a published book again, without a session. */
async function replay(client: Client, amount: number): Promise<void> {
  betMicros = amount;
  betText.value = money(client, amount);
  const { state } = await client.replay();
  await createPlayer(client).play(state as BookEvent[]);
}

try {
  const client = createClient({ url: location.href, funMode });
  const { launch } = client;
  await (launch.kind === 'replay' ? replay(client, launch.amount) : play(client));
} catch (error) {
  if (!isRgsError(error)) throw error;
  message.textContent = error.message;
}
