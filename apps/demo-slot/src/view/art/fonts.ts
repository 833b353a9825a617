/** The names in the fonts' style sheets. Other scripts use system fonts. */
export const DISPLAY_FONT = ['Limelight', 'Josefin Sans Variable', 'system-ui', 'sans-serif'];
export const TEXT_FONT = ['Josefin Sans Variable', 'system-ui', 'sans-serif'];

/**
 * A text that is painted before its font is loaded keeps the wrong one. A font that cannot be
 * loaded does not stop the game.
 */
export async function loadFonts(): Promise<void> {
  const wanted = ["400 40px 'Limelight'", "700 40px 'Josefin Sans Variable'"];
  await Promise.allSettled(wanted.map((font) => document.fonts.load(font, 'AURORA 0123456789')));
}
