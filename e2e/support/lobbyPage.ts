import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';

/** Is one line of the statement, as a person reads it. */
export type StatementLine = { what: string; amount: string; balance: string };

/** Shows the lobby of the reference operator, by what a person sees. */
export class LobbyPage {
  readonly page: Page;
  readonly balance: Locator;
  /** It is the open game. */
  readonly game: FrameLocator;
  readonly frame: Locator;
  readonly bench: Locator;
  readonly lines: Locator;
  readonly options: Locator;
  readonly currency: Locator;

  constructor(page: Page) {
    this.page = page;
    this.balance = page.getByTestId('balance');
    this.frame = page.locator('iframe');
    this.game = page.frameLocator('iframe');
    this.bench = page.getByRole('complementary', { name: 'Studio bench' });
    this.options = page.locator('summary', { hasText: 'Options' });
    this.currency = page.getByRole('combobox', { name: 'Account currency' });
    this.lines = page.getByRole('table').getByRole('row');
  }

  /** Opens the lobby as a new player with the opening balance. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await expect(this.page.getByText('Live', { exact: true })).toBeVisible();
    await expect(this.balance).toHaveText('$1,000.00');
  }

  async play(title: string): Promise<void> {
    await this.page.getByRole('button', { name: `Play ${title}` }).click();
    await expect(this.frame).toBeVisible();
  }

  /** Unfolds how games open. */
  async openOptions(): Promise<void> {
    await this.options.click();
    await expect(this.currency).toBeVisible();
  }

  async openBench(): Promise<void> {
    await this.page.getByRole('button', { name: 'Studio bench' }).click();
    await expect(this.page.getByRole('button', { name: 'Switch on' })).toBeVisible();
  }

  /** The next round of the open game is one of this kind. */
  async force(kind: 'Loss' | 'Small win'): Promise<void> {
    await this.page.getByRole('button', { name: kind, exact: true }).click();
    await expect(this.page.getByText(/^The next round in base is book/i)).toBeVisible();
  }

  async forceBook(bookID: number): Promise<void> {
    await this.page.getByLabel('Book id').fill(String(bookID));
    await this.page.getByRole('button', { name: 'Force book' }).click();
    await expect(this.page.getByText(new RegExp(`^The next round in base is book ${bookID}\\.$`, 'i'))).toBeVisible();
  }

  /** Sets a fault for the next request to this path on the wallet wire. */
  async switchFault(fault: string, path: string): Promise<void> {
    await this.page.getByRole('radio', { name: 'Wallet wire' }).check({ force: true });
    await this.page.getByLabel('Fault', { exact: true }).selectOption({ label: fault });
    await this.page.getByLabel('Request', { exact: true }).selectOption({ label: path });
    await this.page.getByLabel('Number of requests').fill('1');
    await this.page.getByRole('button', { name: 'Switch on' }).click();
    await expect(this.page.getByText('Fault switched on: wallet wire.')).toBeVisible();
  }

  /** Returns the entries, the newest first, each as its cells are read. */
  async statement(): Promise<StatementLine[]> {
    const rows = await this.lines.evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.firstChild?.textContent?.replaceAll('\u00a0', ' ') ?? ''),
      ),
    );
    return rows
      .filter((cells) => cells.length > 0)
      .map(([, what = '', amount = '', balance = '']) => ({ what, amount, balance }));
  }
}
