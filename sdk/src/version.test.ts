import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from './generated/version.ts';

it('requests send the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

  expect(VERSION).toBe(version);
});
