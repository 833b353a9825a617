import { expect, type Locator, type Page } from '@playwright/test';
import { moneyText } from './money.ts';

/** Shows the page for games without a front end, by what a person sees and a screen reader says. */
export class PlayerPage {
  readonly page: Page;
  readonly heading: Locator;
  readonly status: Locator;
  readonly alert: Locator;
  readonly balance: Locator;
  readonly bet: Locator;
  readonly lower: Locator;
  readonly higher: Locator;
  readonly endRound: Locator;
  readonly retryBet: Locator;
  readonly roundTitle: Locator;
  readonly events: Locator;

  constructor(page: Page) {
    this.page = page;
    this.heading = page.getByRole('heading', { level: 1 });
    this.status = page.getByRole('status', { name: 'Progress' });
    this.alert = page.getByRole('alert');
    this.balance = page.getByRole('status', { name: 'Balance' });
    this.bet = page.getByRole('combobox', { name: 'Bet' });
    this.lower = page.getByRole('button', { name: 'Lower' });
    this.higher = page.getByRole('button', { name: 'Higher' });
    this.endRound = page.getByRole('button', { name: 'End round' });
    this.retryBet = page.getByRole('button', { name: 'Retry the bet' });
    this.roundTitle = page.getByRole('heading', { name: /^(Round \d|Replay of|No round)/ });
    this.events = page.getByRole('list', { name: 'Events of the book' }).getByRole('listitem');
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Waits until the session is there and a round may be played. */
  async openReady(url: string): Promise<void> {
    await this.open(url);
    await expect(this.status).toHaveText('Ready. Choose a bet and play a round.');
  }

  /** Finds the button of a mode, in whatever case the game has its name. */
  mode(name: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${name}\\b`, 'i') });
  }

  modes(): Locator {
    return this.page.getByRole('group', { name: 'Play a round' }).getByRole('button');
  }

  /** Returns what the page says of the round under this name: "Mode", "Pays" … */
  fact(name: string): Locator {
    const term = this.page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) });
    return this.page.locator('dl > div').filter({ has: term }).getByRole('definition');
  }

  async recordEvent(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Record an event of this round' }).fill(text);
    await this.page.getByRole('button', { name: 'Record event' }).click();
    await expect(this.status).toHaveText(`Recorded: ${text}`);
  }

  /** Plays a round, which stays open. Returns its number. */
  async play(mode: string): Promise<number> {
    await this.mode(mode).click();
    await expect(this.status).toHaveText(/^Round \d+ pays .* It is open until you end it\.$/);
    return this.roundNumber();
  }

  async roundNumber(): Promise<number> {
    return Number(/^Round (\d+)$/.exec((await this.roundTitle.textContent()) ?? '')?.[1]);
  }

  async end(): Promise<void> {
    await this.endRound.click();
    await expect(this.status).toHaveText(/^Round \d+ is completed\./);
  }

  async expectBalance(micros: number, currency = 'USD'): Promise<void> {
    await expect(this.balance).toHaveText(moneyText(micros, currency));
  }
}
