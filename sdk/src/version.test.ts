import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { VERSION } from './generated/version.ts';

it('the version that requests tell is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

  expect(VERSION).toBe(version);
});
