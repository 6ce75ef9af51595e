import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONSOLE_PAGES } from '../console/console-paths.ts';
import { PUBLIC_PAGES } from '../pages/page-paths.ts';
import { PICTURED_VIEWS } from './pictured-views.ts';
import { SCHEMES, WIDTHS } from './visit-page.ts';

const FOLDER = new URL('../../screenshots/', import.meta.url);

it('stores pictures of 36 views, which the tests visit, and no others', () => {
  const visited = [
    ...Object.keys(PUBLIC_PAGES),
    ...CONSOLE_PAGES.map(({ name }) => `console-${name}`),
    'console-failed',
    'warning',
  ];
  const pictures = [...PICTURED_VIEWS].flatMap((view) =>
    SCHEMES.flatMap((scheme) => WIDTHS.map((width) => `${view}-${scheme}-${width}.png`)),
  );

  expect(PICTURED_VIEWS.size).toBe(36);
  expect(visited).toEqual(expect.arrayContaining([...PICTURED_VIEWS]));
  expect(readdirSync(FOLDER).sort()).toEqual(pictures.sort());
});
