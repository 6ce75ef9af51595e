import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Absolute links to this repository, which the SDK's pages use because npm shows them elsewhere. */
const OWN_PAGES = /^https:\/\/github\.com\/trust-directory\/trust-directory\/(?:blob|tree)\/main\//;
const OTHER_PAGES = /^[a-z][a-z+.-]*:/i;

const committed = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '');
const files = new Set(committed);
const folders = new Set(committed.flatMap(foldersOf));
const documents = committed.filter((file) => file.endsWith('.md'));

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** Reads a document without code blocks. */
function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(/^( *)(`{3,}|~{3,}).*\n[\s\S]*?^ *\2$/gm, '');
}

/** Returns the targets of inline links and images, and of link definitions. */
function linksOf(file: string): string[] {
  const text = readText(file).replaceAll(/(`+)[^`]*?\1/g, 'code');
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const definitions = text.matchAll(/^\[[^\]]+\]:\s*<?([^\s>]+)>?/gm);
  return [...inline, ...definitions].map(([, target = '']) => target);
}

/** Returns the anchors of a document, made from its headings as GitHub does. */
function anchorsOf(file: string): string[] {
  const counts = new Map<string, number>();
  return [...readText(file).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** Returns what is wrong with a link of a document, or null. */
function problemOf(file: string, target: string): string | null {
  const isOwn = OWN_PAGES.test(target);
  if (!isOwn && OTHER_PAGES.test(target)) return null;
  const [path = '', anchor] = target.replace(OWN_PAGES, '').split('#');
  const found = path === '' ? file : normalize(join(isOwn ? '.' : dirname(file), path)).replace(/\/$/, '');
  if (!files.has(found) && !folders.has(found)) return `${file}: ${target} leads to no committed file`;
  if (anchor === undefined) return null;
  const page = folders.has(found) ? join(found, 'README.md') : found;
  if (page.endsWith('.md') && files.has(page) && anchorsOf(page).includes(anchor)) return null;
  return `${file}: ${page} has no heading #${anchor}`;
}

it('every link of a document leads to a committed file, and to a heading of it', () => {
  const links = documents.flatMap((file) => linksOf(file).map((target) => [file, target] as const));

  expect(documents.length).toBeGreaterThan(30);
  expect(links.length).toBeGreaterThan(150);
  expect(links.flatMap(([file, target]) => problemOf(file, target) ?? [])).toEqual([]);
});

it('a missing file and a missing heading are noticed, a heading with code and marks is found', () => {
  expect(problemOf('server/README.md', 'docs/nothing.md')).toContain('no committed file');
  expect(problemOf('server/README.md', 'docs/configure.md#nothing')).toContain('no heading');
  expect(problemOf('server/README.md', '#nothing')).toContain('no heading');
  expect(problemOf('server/README.md', 'docs/configure.md#environment-variables')).toBeNull();
  expect(problemOf('README.md', 'bench/README.md#the-parts-in-their-order')).toBeNull();
});
