// Validates the contract and writes what a start of the server needs of it into the compiled server: `node
// prepare-contract.mjs`, after the compiler. Exits with the reason if the contract cannot be used.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

const COMPILED = new URL('../dist/', import.meta.url);
const MADE = new URL('contract.json', COMPILED);
/** Copy of the contract inside the package, which is published without the original. */
const COPY = new URL('openapi.yaml', COMPILED);
const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Writes a file by renaming a draft, so that a server that starts meanwhile reads either the old file or the new one.
 */
function leave(file, text) {
  const draft = new URL(`${file.href}.${process.pid}`);
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/**
 * Files whose change makes the output outdated. The compiler writes `.tsbuildinfo` again whenever the code has changed.
 */
const sources = [CONTRACT, new URL('.tsbuildinfo', COMPILED), new URL(import.meta.url)];
const made = Math.min(changedAt(MADE), changedAt(COPY));
if (sources.some((file) => changedAt(file) >= made)) {
  const { prepareContract } = await import('../dist/platform/http/contract/prepare-contract.js');
  const text = readFileSync(CONTRACT, 'utf8');
  const prepared = await prepareContract(text).catch(({ message }) => {
    process.stderr.write(`openapi.yaml cannot be used: ${message}\n`);
    process.exit(1);
  });
  leave(COPY, text);
  leave(MADE, JSON.stringify(prepared));
}
