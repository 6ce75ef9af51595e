/** Writes progress to standard error: on a terminal as a line that the next one replaces, otherwise as a line each. */
export function tell(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else process.stderr.write(`${text}\n`);
}

/** Writes a line to standard error that later progress does not replace. */
export function note(text) {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  process.stderr.write(`${text}\n`);
}
