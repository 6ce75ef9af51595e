/** Says on standard error what is being done: a line that the next one replaces, or a line each where nobody looks on. */
export function tell(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else process.stderr.write(`${text}\n`);
}

/** The same, for what is to stay. */
export function note(text) {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  process.stderr.write(`${text}\n`);
}
