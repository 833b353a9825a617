import { expect, type Locator, type Page, type Response } from '@playwright/test';
import { moneyText } from './money.ts';
import { RgsServer, type Round } from './server.ts';
import { findBook } from './slotBooks.ts';
import { SlotEar } from './slotEar.ts';
import { SlotWords } from './slotWords.ts';

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface Window {
    /** The test presses next in this frame. */
    cuttingShort?: number;
  }
}

/**
 * Shows the demo slot by what a person sees and a screen reader says. The words are those of the
 * language that it was launched in.
 */
export class SlotPage {
  readonly page: Page;
  readonly words: SlotWords;
  readonly ear: SlotEar;
  readonly enterKey: Locator;
  readonly balance: Locator;
  readonly bet: Locator;
  /** A spin costs this; it is there when that is not the bet. */
  readonly cost: Locator;
  readonly win: Locator;
  readonly freeSpins: Locator;
  readonly freeSpinsWin: Locator;
  readonly netPosition: Locator;
  /** The big round button whatever it does. */
  readonly bigKey: Locator;
  /** It is the same key when it begins a round. */
  readonly readyKey: Locator;
  readonly raiseBet: Locator;
  readonly lowerBet: Locator;
  readonly chooseBet: Locator;
  readonly ante: Locator;
  readonly buy: Locator;
  readonly autoplay: Locator;
  readonly menu: Locator;
  readonly pace: Locator;
  /** Whatever dialog is open. */
  readonly dialog: Locator;
  readonly failure: Locator;

  constructor(page: Page, words: SlotWords = new SlotWords('en')) {
    const button = (first: string, ...others: string[]) => {
      const named = (key: string) => page.getByRole('button', { name: words.say(key), exact: true });
      return others.reduce((found, key) => found.or(named(key)), named(first));
    };
    const meter = (key: string) => page.getByRole('status', { name: words.say(key), exact: true });
    this.page = page;
    this.words = words;
    this.ear = new SlotEar(page);
    this.enterKey = button('play');
    this.balance = meter('balance');
    this.bet = meter('bet');
    this.cost = meter('modeCost');
    this.win = meter('win');
    this.freeSpins = meter('freeSpins');
    this.freeSpinsWin = meter('totalWin');
    this.netPosition = meter('netPosition');
    this.bigKey = button('spin', 'stop', 'skip', 'stopAutoplay');
    this.readyKey = page.getByRole('button', { name: words.say('spin'), exact: true, disabled: false });
    this.raiseBet = button('raiseBet');
    this.lowerBet = button('lowerBet');
    this.chooseBet = button('chooseBet');
    this.ante = page.getByRole('switch', { name: words.say('ante'), exact: true });
    // Its name ends with the price.
    this.buy = page.getByRole('button', { name: new RegExp(`^${words.say('buy')} .`) });
    this.autoplay = button('autoplay');
    this.menu = button('menu');
    this.pace = button('paceNormal', 'paceTurbo', 'paceSuperTurbo');
    this.dialog = page.locator('dialog');
    this.failure = page.getByRole('alertdialog');
  }

  /** Waits until the picture is loaded and the server has responded. */
  async openIntro(url: string): Promise<void> {
    await this.ear.listen();
    await this.page.goto(url);
    await expect(this.enterKey).toBeVisible();
  }

  /** Goes through the intro, until a round may be played. */
  async openReady(url: string): Promise<void> {
    await this.openIntro(url);
    await this.enter();
    await this.expectReady();
  }

  async enter(): Promise<void> {
    await this.enterKey.click();
    await expect(this.enterKey).toBeHidden();
  }

  async expectReady(): Promise<void> {
    await expect(this.readyKey).toBeVisible();
  }

  /** Plays as fast as the game can. */
  async hurry(): Promise<void> {
    const fastest = this.page.getByRole('button', { name: this.words.say('paceSuperTurbo'), exact: true });
    while (!(await fastest.isVisible())) await this.pace.click();
  }

  /** Starts a round and returns it as the server opened it. The page is still showing it. */
  async begin(press: () => Promise<void> = () => this.readyKey.click()): Promise<Round> {
    const answered = this.page.waitForResponse((response) => isCall(response, '/wallet/play'));
    await press();
    const { round } = (await (await answered).json()) as { round: Round };
    return round;
  }

  /** Plays a whole round. */
  async spin(press?: () => Promise<void>): Promise<Round> {
    const round = await this.begin(press);
    await this.expectReady();
    return round;
  }

  /**
   * Plays a short round that pays a little. A drawn round may have free spins, which take minutes.
   */
  async spinShort(press?: () => Promise<void>): Promise<Round> {
    await this.forceShort();
    return this.spin(press);
  }

  /** The next round in the base mode will be a short one. */
  async forceShort(): Promise<void> {
    const { origin, searchParams } = new URL(this.page.url());
    const server = new RgsServer(origin, 'aurora-line');
    const { bookID } = await findBook(server, 'BASE', { payout: { from: 20, to: 90 }, freeSpins: 'none' });
    await server.forceNext({ sessionID: searchParams.get('sessionID') ?? '', mode: 'BASE', bookID });
  }

  /** Presses the big button in every frame while it can cut something short. */
  async cutShort(): Promise<void> {
    const names = ['stop', 'skip'].map((key) => this.words.say(key));
    // It is read and pressed in one task of the page: a late press would start the next round.
    await this.page.evaluate((cutting) => {
      const press = () => {
        for (const key of document.querySelectorAll('button')) if (cutting.includes(key.ariaLabel ?? '')) key.click();
        window.cuttingShort = requestAnimationFrame(press);
      };
      press();
    }, names);
    await this.readyKey.waitFor({ timeout: 60_000 });
    await this.page.evaluate(() => cancelAnimationFrame(window.cuttingShort ?? 0));
  }

  async expectBalance(micros: number, currency = 'USD'): Promise<void> {
    await expect(this.balance).toHaveText(moneyText(micros, currency));
  }

  async expectBet(micros: number, currency = 'USD'): Promise<void> {
    await expect(this.bet).toHaveText(moneyText(micros, currency));
  }

  /** Returns the dialog with this title. */
  dialogNamed(key: string, values?: Readonly<Record<string, string | number>>): Locator {
    return this.page.getByRole('dialog', { name: this.words.say(key, values), exact: true });
  }

  /** Expects the dialog of this failure: text and button (none where only the lobby helps). */
  async expectFailure(
    kind: string,
    remedy?: 'tryAgain' | 'close' | 'continuePlaying' | 'reload' | 'playHere',
  ): Promise<void> {
    await expect(this.failure).toHaveAccessibleName(this.words.say(`failure${kind}`));
    await expect(this.failure).toContainText(this.words.say(`failure${kind}Note`));
    if (remedy === undefined) await expect(this.failure.getByRole('button')).toHaveCount(0);
    else await expect(this.remedyOf(remedy)).toBeVisible();
  }

  async takeRemedy(remedy: 'tryAgain' | 'close' | 'continuePlaying' | 'reload' | 'playHere'): Promise<void> {
    await this.remedyOf(remedy).click();
    await expect(this.failure).toBeHidden();
  }

  /**
   * Returns the last one of the name: a dialog that can be closed has another one in its corner.
   */
  private remedyOf(remedy: string): Locator {
    return this.failure.getByRole('button', { name: this.words.say(remedy), exact: true }).last();
  }
}

function isCall(response: Response, path: string): boolean {
  return response.request().method() === 'POST' && new URL(response.url()).pathname.endsWith(path);
}
