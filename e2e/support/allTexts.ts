import type { Frame, Page } from '@playwright/test';

/**
 * Returns every text that can be seen or heard: those of the page, and names, titles and
 * descriptions.
 */
export function allTexts(page: Page | Frame): Promise<string[]> {
  return page.evaluate(() => {
    const attributes = ['aria-label', 'title', 'alt', 'aria-description', 'placeholder'];
    const texts: string[] = [document.title];
    for (const element of document.body.querySelectorAll('*')) {
      if (element.matches('script, style')) continue;
      for (const name of attributes) texts.push(element.getAttribute(name) ?? '');
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      texts.push(own.map((node) => node.textContent).join(' '));
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  });
}
