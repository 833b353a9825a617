/** As the style sheets of the fonts name them; the rest of the world's scripts come from the system. */
export const DISPLAY_FONT = ['Limelight', 'Josefin Sans Variable', 'system-ui', 'sans-serif'];
export const TEXT_FONT = ['Josefin Sans Variable', 'system-ui', 'sans-serif'];

/** A text that is painted before its font is there stays in the wrong one. A font that cannot be had is no reason not to play. */
export async function loadFonts(): Promise<void> {
  const wanted = ["400 40px 'Limelight'", "700 40px 'Josefin Sans Variable'"];
  await Promise.allSettled(wanted.map((font) => document.fonts.load(font, 'AURORA 0123456789')));
}
