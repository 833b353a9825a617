const ADVICE = {
  ERR_VAL: 'Reload the page to see where the round stands.',
  ERR_IPB: 'Choose a lower amount, or give the test player more with /session/start.',
  ERR_IS: 'Reload the page; if that does not help, launch the game again.',
  ERR_ATE: 'Launch the game again.',
  ERR_GLE: 'The limit starts anew with the next day, or the operator changes it.',
  ERR_LOC: 'The operator sets the countries that may play.',
  ERR_GEN: "Try again. The request id leads to the line in the server's log.",
  ERR_MAINTENANCE: 'Try again when the maintenance is over.',
  NO_ANSWER: 'Is the server running, and is it the one of rgs_url? Then try again.',
};

/** What a person can do about an error of this code. */
export function adviceFor(code) {
  return ADVICE[code] ?? 'Reload the page to see where the round stands.';
}

/** After these nobody knows whether the bet was taken; only the same request with the same key finds out safely. */
export function leavesBetOpen(code) {
  return code === 'NO_ANSWER' || code === 'ERR_GEN';
}
