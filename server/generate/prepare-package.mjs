// Prepares the folder for `npm pack`: `node prepare-package.mjs` writes a lock file, so that the package installs exactly the
// versions that the project is tested with. `--done` removes the lock file afterwards.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { lockOf } from './package-lock.mjs';

const here = new URL('../', import.meta.url);
const LOCK = new URL('npm-shrinkwrap.json', here);
const read = (url) => JSON.parse(readFileSync(url, 'utf8'));

if (process.argv.includes('--done')) rmSync(LOCK, { force: true });
else {
  requireSdk();
  const lock = lockOf(read(new URL('../package-lock.json', here)).packages, 'server');
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}

/** Throws if the package of the SDK is missing, because the server's pages could then not say how to install it. */
function requireSdk() {
  try {
    if (readdirSync(new URL('dist/sdk/', here)).some((name) => name.endsWith('.tgz'))) return;
  } catch {}
  throw new Error('server/dist/sdk holds no package of the SDK. Run: npm run build');
}
