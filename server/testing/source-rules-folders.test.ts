import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productFiles, SOURCE_ROOT } from './source-rules.ts';
import { importsInFolderCycles } from './source-rules-folders.ts';

it('folders of one module never depend on each other in a cycle, by value or by type', () => {
  const texts = new Map(productFiles().map((path) => [path, readFileSync(join(SOURCE_ROOT, path), 'utf8')]));

  const imports = importsInFolderCycles(texts);

  expect(imports).toEqual([]);
  expect(texts.size).toBeGreaterThan(500);
});

describe('the rule of folders', () => {
  it.each([
    "import { b } from './low/b.ts';",
    "import type { B } from './low/b.ts';",
    "import { type B } from './low/b.ts';",
    "import './low/b.ts';",
    "export { b } from './low/b.ts';",
    "export type * from './low/b.ts';",
    "const { b } = await import('./low/b.ts');",
    'const load = () => import(`./low/b.ts`);',
    "type B = import('./low/b.ts').B;",
    "type Parts = typeof import('./low/b.ts');",
  ])('finds both ends of a cycle that is closed by %s', (text) => {
    const found = importsInFolderCycles(
      new Map([
        ['module/a.ts', text],
        ['module/low/b.ts', "import type { A } from '../a.ts';"],
      ]),
    );

    expect(found).toEqual(['module/a.ts imports module/low/b.ts', 'module/low/b.ts imports module/a.ts']);
  });

  it('finds a cycle of several folders though no two of its files import each other, and no import beside it', () => {
    const found = importsInFolderCycles(
      new Map([
        ['m/a/one.ts', "import './two.ts'; import '../b/one.ts'; import '../low/one.ts';"],
        ['m/a/two.ts', ''],
        ['m/b/one.ts', "import '../c/one.tsx';"],
        ['m/c/one.tsx', "import '../a/two.ts'; export const View = () => <p>import '../low/two.ts'</p>;"],
        ['m/low/one.ts', ''],
        ['m/top.ts', "import './a/one.ts';"],
      ]),
    );

    expect(found).toEqual([
      'm/a/one.ts imports m/b/one.ts',
      'm/b/one.ts imports m/c/one.tsx',
      'm/c/one.tsx imports m/a/two.ts',
    ]);
  });

  it('names imports between the two folders with the fewest first, each once', () => {
    const found = importsInFolderCycles(
      new Map([
        ['m/a.ts', "import { b } from './low/b.ts'; import type { B } from './low/b.ts';"],
        ['m/c.ts', "import './low/b.ts';"],
        ['m/low/b.ts', "import type { A } from '../a.ts';"],
      ]),
    );

    expect(found).toEqual([
      'm/low/b.ts imports m/a.ts',
      'm/a.ts imports m/low/b.ts',
      'm/c.ts imports m/low/b.ts',
    ]);
  });

  it('lets pass imports in one direction, within a folder, of packages, and of files that join the modules', () => {
    const found = importsInFolderCycles(
      new Map([
        ['services.ts', "import './cli/a.ts';"],
        ['cli/a.ts', "import '../services.ts'; import './b.ts'; import pg from 'pg';"],
        ['cli/b.ts', "import './a.ts'; import './low/c.ts'; // import '../services.ts'"],
        ['cli/low/c.ts', `const text = "import '../a.ts'"; import type { T } from '../../generated/t.ts';`],
      ]),
    );

    expect(found).toEqual([]);
  });
});
