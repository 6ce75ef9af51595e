import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { collectItems } from './collect-items.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const around = { folder: root, environment: {}, home: '/nonexistent', mirrors: [] };

/** Lock files, and how many packages their own package manager says that they have. */
const PROJECTS: readonly (readonly [path: string, least: number])[] = [
  ['./package-lock.json', 400],
  ['./sdk/test/elsewhere/package-lock.json', 50],
  ['./sdk/test/projects/yarn/yarn.lock', 380],
  // Further lock files, in folders that a person names, such as those of pnpm, uv and Poetry.
  ...(process.env.LOCK_FILES_DIR ? ([[process.env.LOCK_FILES_DIR, 50]] as const) : []),
];

it.each(PROJECTS.filter(([path]) => path.startsWith('.') || existsSync(path)))(
  'reads %s whole',
  (path, least) => {
    const { items, problems, files } = collectItems([path], around);

    expect(problems).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(items.length).toBeGreaterThan(least);
    // Each has a name, an exact version and a line of its own, and comes from a public registry.
    const odd = items.filter(
      ({ subject, line }) =>
        !/^(npm:[^@]+@\d|npm:@[^@]+@\d|pypi:[^=]+==\d)/.test(subject ?? '') || line === null,
    );
    expect(odd).toEqual([]);
    expect(new Set(items.map(({ file, line }) => `${file}:${line}`)).size).toBe(items.length);
  },
);
