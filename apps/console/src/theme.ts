import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const shade = (index: number) => `var(--green-${index})`;

const DIALOG = {
  closeButtonProps: { 'aria-label': 'Close' },
  // Its head is a <header>, which would count as a second banner of the page.
  attributes: { header: { role: 'presentation' } },
};

export const theme = createTheme({
  colors: {
    green: [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)],
    // The library takes texts from its first shades, then lines, fields, panels and the ground.
    dark: [
      ...['var(--ink)', 'var(--soft)', 'var(--soft)', 'var(--edge)', 'var(--line)'],
      ...['var(--line)', 'var(--raised)', 'var(--surface)', 'var(--ground)', 'var(--ground)'],
    ] as unknown as MantineColorsTuple,
  },
  primaryColor: 'green',
  primaryShade: 7,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A click outside must not close a modal and lose what was typed.
    Modal: { defaultProps: { ...DIALOG, closeOnClickOutside: false } },
    Drawer: { defaultProps: DIALOG },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      // Below a title the library makes the text too pale.
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Badge: { styles: { root: { minWidth: 'var(--badge-width, max-content)' } } },
  },
});

/** Other colours of the library are too pale for small text. */
const ROLES = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--raised)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-dimmed': 'var(--soft)',
  '--mantine-color-placeholder': 'var(--soft)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--press)',
  '--mantine-color-red-light-color': 'var(--bad)',
  '--mantine-color-green-light-color': 'var(--press)',
  '--mantine-color-yellow-light-color': 'var(--warn)',
  '--mantine-color-blue-light-color': 'var(--info)',
  '--mantine-color-gray-light': 'color-mix(in srgb, var(--soft) 16%, var(--surface))',
  '--mantine-color-gray-light-color': 'var(--soft)',
  '--console-good': 'var(--good)',
  '--console-bad': 'var(--bad)',
  '--console-surface': 'var(--surface)',
  '--console-head': 'var(--raised)',
  '--console-line': 'var(--line)',
  '--console-hover': 'color-mix(in srgb, var(--raised) 50%, var(--surface))',
  '--console-active': 'color-mix(in srgb, var(--press) 12%, var(--surface))',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ROLES, dark: ROLES });
