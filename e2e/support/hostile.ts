import { expect, type Page } from '@playwright/test';

/**
 * Leaves an attribute and a text, and would run a script in four ways. It has characters that hide
 * and turn text.
 */
export const MARKUP = `"'>\u202e\u0000\u0007<img data-hostile src="https://evil.example/x" onerror="window.hostile=1"><svg data-hostile onload="window.hostile=1"></svg><script data-hostile>window.hostile=1</script><a data-hostile href="javascript:window.hostile=1">`;

/** Runs a script when a page follows the address, or leads to another page than it looks like. */
export const SCRIPT_URLS = [
  'javascript:window.hostile=1',
  ' JavaScript:window.hostile=1',
  'java\tscript:window.hostile=1',
  'data:text/html,<script>window.hostile=1</script>',
  'vbscript:window.hostile=1',
  'blob:https://evil.example/x',
  '//evil.example/',
  '/\\evil.example',
] as const;

/**
 * Returns a response with the markup in place of each text that `reads` does not name, and as a
 * further mode.
 */
export function hostileCopy(value: unknown, reads: readonly string[] = [], name = ''): unknown {
  if (typeof value === 'string') return reads.includes(name) ? value : MARKUP;
  if (Array.isArray(value)) return value.map((each) => hostileCopy(each, reads, name));
  if (typeof value !== 'object' || value === null) return value;
  const copied = Object.entries(value).map(([key, each]) => [key, hostileCopy(each, reads, key)]);
  const more = name === 'betModes' && copied[0] ? [[MARKUP, copied[0][1]]] : [];
  return Object.fromEntries([...copied, ...more]);
}

/**
 * No script of the markup has run. No element was made of it, and no link of the page would run
 * one.
 */
export async function expectHarmless(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    const found = await frame.evaluate(() => {
      const elements = 'a, area, form, button, iframe, embed, object, base, link:not([rel=icon]), script';
      const links = [...document.querySelectorAll(elements)];
      const followed = ['href', 'src', 'action', 'formaction', 'data', 'srcdoc'];
      return {
        hasRun: 'hostile' in window,
        elements: document.querySelectorAll('[data-hostile], [onerror], [onload]').length,
        addresses: links.flatMap((link) =>
          followed
            .map((name) => link.getAttribute(name) ?? '')
            .filter((address) => /^\s*(j\s*a\s*v\s*a\s*s|data:|vbscript:|blob:)|evil\.example/i.test(address)),
        ),
      };
    });
    expect(found, frame.url().slice(0, 100)).toEqual({ hasRun: false, elements: 0, addresses: [] });
  }
}
