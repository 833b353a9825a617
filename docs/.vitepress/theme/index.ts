// The fonts of the reader's system: the site stays small and loads nothing from elsewhere.
export { default } from 'vitepress/theme-without-fonts';
