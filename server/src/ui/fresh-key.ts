/**
 * Ends a shell's single-quoted text, adds an idempotency key that no earlier call has, and continues the text: a sample can
 * be pasted again and by others. Every POSIX shell has `date`; many systems have no `uuidgen`.
 */
export const FRESH_KEY = "'$(date +%s)-$$'";
