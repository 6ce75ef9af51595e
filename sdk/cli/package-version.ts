import { readFileSync } from 'node:fs';

/** This package's version. Its description lies one folder up, for the sources as for the build. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
