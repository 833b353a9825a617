import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A click outside must not close a modal and lose what was typed.
    Modal: {
      defaultProps: {
        closeOnClickOutside: false,
        closeButtonProps: { 'aria-label': 'Close' },
        // Its head is a <header>, which would count as a second banner of the page.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      // Below a title the library makes the text too pale.
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
    Badge: { styles: { root: { minWidth: 'max-content' } } },
  },
});

// The text colours of the library are too pale for small text: these have a contrast of 4.5 at
// least.
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b64',
    '--mantine-color-placeholder': '#697077',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#3b4fc4',
    '--mantine-color-red-light-color': '#b02525',
    '--mantine-color-teal-light-color': '#06694a',
    '--mantine-color-yellow-light-color': '#7a4d00',
    '--mantine-color-indigo-light-color': '#3448b8',
    '--mantine-color-gray-light-color': '#495057',
    '--console-good': '#06694a',
    '--console-bad': '#c02626',
    '--console-surface': '#ffffff',
    '--console-head': '#f8f9fa',
    '--console-line': '#eef0f2',
    '--console-hover': '#f8f9fb',
    '--console-active': '#eef1ff',
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#9a9ea5',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-teal-light-color': '#63e6be',
    '--mantine-color-yellow-light-color': '#ffe066',
    '--mantine-color-indigo-light-color': '#bac8ff',
    '--mantine-color-gray-light-color': '#ced4da',
    '--console-good': '#63e6be',
    '--console-bad': '#ff8787',
    '--console-surface': '#1f2023',
    '--console-head': '#26282c',
    '--console-line': '#2f3136',
    '--console-hover': '#26282c',
    '--console-active': '#2a2f4a',
  },
});
