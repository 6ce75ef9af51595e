import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { collectItems } from './collect-items.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const around = { folder: root, environment: {}, home: '/nonexistent', mirrors: [] };

/** Lock files, with the minimum number of packages according to their package manager. */
const PROJECTS: readonly (readonly [path: string, least: number])[] = [
  ['./package-lock.json', 400],
  ['./sdk/test/elsewhere/package-lock.json', 50],
  ['./sdk/test/projects/yarn/yarn.lock', 380],
  ['./sdk/test/projects/pnpm/pnpm-lock.yaml', 250],
  // Additional lock files, for example of uv and Poetry, in a folder that the environment names.
  ...(process.env.LOCK_FILES_DIR ? ([[process.env.LOCK_FILES_DIR, 50]] as const) : []),
];

it.each(PROJECTS.filter(([path]) => path.startsWith('.') || existsSync(path)))(
  'reads %s whole',
  (path, least) => {
    const { items, problems, files } = collectItems([path], around);

    expect(problems).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(items.length).toBeGreaterThan(least);
    // Every item has a name, an exact version and a distinct line, and comes from a public registry.
    const odd = items.filter(
      ({ subject, line }) =>
        !/^(npm:[^@]+@\d|npm:@[^@]+@\d|pypi:[^=]+==\d)/.test(subject ?? '') || line === null,
    );
    expect(odd).toEqual([]);
    expect(new Set(items.map(({ file, line }) => `${file}:${line}`)).size).toBe(items.length);
  },
);
