// The fonts of the reader's system: the site stays small and loads nothing from elsewhere.
import theme from 'vitepress/theme-without-fonts';
import '@roundhouse/brand/brand.css';
import './colours.css';
import './home.css';

export default theme;
