import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { collectItems } from './collect-items.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const around = { folder: root, environment: {}, home: '/nonexistent', mirrors: [] };

/** Counts the packages of a `package-lock.json`, by the folders into which npm installs them. */
const countOfNpm = (text: string) =>
  Object.entries<{ link?: boolean }>(JSON.parse(text).packages).filter(
    ([folder, { link }]) => folder.includes('node_modules/') && !link,
  ).length;
/** Counts the packages of a `yarn.lock` of Yarn 1, each of which has one version. */
const countOfYarn = (text: string) => text.match(/^ {2}version /gm)?.length ?? 0;
/** Counts the packages of a `pnpm-lock.yaml`, each of which has one resolution. */
const countOfPnpm = (text: string) => text.match(/^ {4}resolution: /gm)?.length ?? 0;

/** Lock files, with the count of their packages by the format's own marks. */
const PROJECTS: readonly (readonly [path: string, count: ((text: string) => number) | null])[] = [
  ['./package-lock.json', countOfNpm],
  ['./sdk/test/elsewhere/package-lock.json', countOfNpm],
  ['./sdk/test/projects/yarn/yarn.lock', countOfYarn],
  ['./sdk/test/projects/pnpm/pnpm-lock.yaml', countOfPnpm],
  // Additional lock files, for example of uv and Poetry, in a folder that the environment names.
  ...(process.env.LOCK_FILES_DIR ? ([[process.env.LOCK_FILES_DIR, null]] as const) : []),
];

it.each(PROJECTS.filter(([path]) => path.startsWith('.') || existsSync(path)))(
  'reads %s whole',
  (path, count) => {
    const { items, problems, files } = collectItems([path], around);

    expect(problems).toEqual([]);
    expect(files.length).toBeGreaterThan(0);
    expect(items.length).toBeGreaterThan(50);
    if (count) expect(items.length).toBe(count(readFileSync(join(root, path), 'utf8')));
    // Every item has a name, an exact version and a distinct line, and comes from a public registry.
    const odd = items.filter(
      ({ subject, line }) =>
        !/^(npm:[^@]+@\d|npm:@[^@]+@\d|pypi:[^=]+==\d)/.test(subject ?? '') || line === null,
    );
    expect(odd).toEqual([]);
    expect(new Set(items.map(({ file, line }) => `${file}:${line}`)).size).toBe(items.length);
  },
);
