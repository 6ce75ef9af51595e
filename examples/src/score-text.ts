/** Formats a score in words. Null means that no confirmed score exists, never zero. */
export function scoreText(trust: number | null, confidence: number | null): string {
  if (trust === null || confidence === null) return 'not scored yet';
  return `trust ${trust.toFixed(1)}, confidence ${confidence.toFixed(1)}`;
}
