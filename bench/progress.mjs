/** Writes progress to standard error. On a terminal the text replaces the previous one; otherwise it gets its own line. */
export function tell(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else process.stderr.write(`${text}\n`);
}

/** Writes a line to standard error that later progress does not replace. */
export function note(text) {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  process.stderr.write(`${text}\n`);
}
