// Makes the folder ready to be packed, before npm reads it: `node prepare-package.mjs`; `--done` takes back afterwards what is
// for the package alone. The package gets exactly the versions of packages that the project is tested with, and no output of
// the compiler whose source is gone.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lockOf } from './package-lock.mjs';

const here = new URL('../', import.meta.url);
const LOCK = new URL('npm-shrinkwrap.json', here);
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));

function removeStale() {
  const folder = new URL('dist/', here);
  const compiled = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
  for (const file of compiled) {
    const source = file.slice(0, -'.js'.length);
    const isThere = ['.ts', '.tsx'].some((ending) => existsSync(new URL(`src/${source}${ending}`, here)));
    if (!isThere) rmSync(new URL(file, folder));
  }
}

if (process.argv.includes('--done')) rmSync(LOCK, { force: true });
else {
  removeStale();
  const lock = lockOf(read(new URL('../package-lock.json', here)).packages, 'server');
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}
