import type { Theme } from 'vitepress';
// The fonts of the reader's system: the site stays small and loads nothing from elsewhere.
import theme from 'vitepress/theme-without-fonts';
import '@roundhouse/brand/brand.css';
import { searchOptions } from './search.ts';
import './colours.css';
import './home.css';

export default {
  extends: theme,
  // Functions in config.ts reach the page as text, which the site's policy does not run.
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options = { miniSearch: { searchOptions } };
  },
} satisfies Theme;
