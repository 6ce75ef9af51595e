// Makes the folder ready to be packed, before npm reads it: `node prepare-package.mjs`; `--done` takes back afterwards what is
// for the package alone. The package gets exactly the versions of packages that the project is tested with.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lockOf } from './package-lock.mjs';

const here = new URL('../', import.meta.url);
const LOCK = new URL('npm-shrinkwrap.json', here);
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));

if (process.argv.includes('--done')) rmSync(LOCK, { force: true });
else {
  const lock = lockOf(read(new URL('../package-lock.json', here)).packages, 'server');
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}
