import { expect, type Locator, type Page } from '@playwright/test';
import type { SlotPage } from './slotPage.ts';

/** Shows the slot's dialog about the seeds of provably fair draws, by what a person sees. */
export class FairnessDialog {
  readonly slot: SlotPage;
  readonly dialog: Locator;
  readonly seedField: Locator;
  readonly useSeed: Locator;
  readonly reveal: Locator;
  readonly checkLast: Locator;

  constructor(slot: SlotPage) {
    const button = (key: string) => this.dialog.getByRole('button', { name: slot.words.say(key), exact: true });
    this.slot = slot;
    this.dialog = slot.dialogNamed('fairness');
    this.seedField = this.dialog.getByRole('textbox');
    this.useSeed = button('fairUseSeed');
    this.reveal = button('fairReveal');
    this.checkLast = this.dialog.getByRole('button', { name: slot.words.say('fairCheckLast') });
  }

  async open(): Promise<void> {
    await this.slot.menu.click();
    await this.slot.dialog.getByRole('button', { name: this.slot.words.say('fairness'), exact: true }).click();
    await expect(this.dialog).toBeVisible();
  }

  async close(): Promise<void> {
    await this.dialog.press('Escape');
    await expect(this.slot.dialog).toBeHidden();
  }

  /** Returns the value beside this name: of the seeds in use, or of the one that was revealed. */
  value(key: string, place: 'inUse' | 'revealed' = 'inUse'): Locator {
    const named = this.dialog.locator('dl > div', {
      has: this.slot.page.getByText(this.slot.words.say(key), { exact: true }),
    });
    const list = place === 'inUse' ? named.first() : named.last();
    return list.locator('bdi');
  }

  /** Copies the value beside this name, and returns what the clipboard then holds. */
  async copy(key: string): Promise<string> {
    const name = `${this.slot.words.say('fairCopy')} ${this.slot.words.say(key)}`;
    await this.dialog.getByRole('button', { name, exact: true }).first().click();
    const copied = `${this.slot.words.say('fairCopied')} ${this.slot.words.say(key)}`;
    await expect(this.dialog.getByRole('button', { name: copied, exact: true })).toBeVisible();
    return this.slot.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Presses what opens the verifier, and returns its tab. */
  async openVerifier(press: () => Promise<void>): Promise<Page> {
    const opened = this.slot.page.context().waitForEvent('page');
    await press();
    const tab = await opened;
    await tab.waitForLoadState();
    return tab;
  }
}
