// Reads the contract, judges it and leaves what a start needs of it beside the compiled server: `node prepare-contract.mjs`,
// after the compiler. Fails with the reason where the contract cannot be used.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';

const COMPILED = new URL('../dist/', import.meta.url);
const MADE = new URL('contract.json', COMPILED);
const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The compiler writes its notes anew whenever the code that makes this has changed. */
const sources = [CONTRACT, new URL('.tsbuildinfo', COMPILED), new URL(import.meta.url)];
if (sources.some((file) => changedAt(file) >= changedAt(MADE))) {
  const { prepareContract } = await import('../dist/http/contract/prepare-contract.js');
  const prepared = await prepareContract(readFileSync(CONTRACT, 'utf8')).catch(({ message }) => {
    process.stderr.write(`openapi.yaml cannot be used: ${message}\n`);
    process.exit(1);
  });
  // Renamed into place: a server that starts meanwhile finds the old one or the new one.
  const draft = new URL(`contract.json.${process.pid}`, COMPILED);
  writeFileSync(draft, JSON.stringify(prepared));
  renameSync(draft, MADE);
}
