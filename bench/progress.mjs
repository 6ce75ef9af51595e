/** Says on standard error what is being done: a line that the next one replaces, or a line each where nobody looks on. */
export function tell(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else process.stderr.write(`${text}\n`);
}

/** Writes a line to standard error that later progress does not replace. */
export function note(text) {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  process.stderr.write(`${text}\n`);
}
