import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { packageFile } from '../../platform/package-files.ts';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
} as const;

interface Asset {
  /** Path with a hash of the content, so that it can be cached forever. */
  path: string;
  plainPath: string;
  content: Buffer;
  type: string;
}

function readText(file: string): string {
  return readFileSync(packageFile(`assets/${file}`), 'utf8');
}

/**
 * Builds one minified style sheet from the common styles and the files `parts`, which have the styles of one kind of
 * page.
 */
function readStyle(name: string, ...parts: string[]): Asset {
  const sheets = ['site', ...parts].map((part) => readText(`${part}.css`));
  const tight = sheets
    .join('')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1');
  return toAsset(name, 'css', tight);
}

function readAsset(name: string, extension: keyof typeof TYPES): Asset {
  return toAsset(name, extension, readText(`${name}.${extension}`));
}

function toAsset(name: string, extension: keyof typeof TYPES, content: string): Asset {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
  return {
    path: `/assets/${name}-${hash}.${extension}`,
    plainPath: `/assets/${name}.${extension}`,
    content: Buffer.from(content),
    type: TYPES[extension],
  };
}

const STYLE = readStyle('site');
const CONSOLE_STYLE = readStyle('console', 'console');
const DOCS_STYLE = readStyle('docs', 'docs');
const SUBJECT_STYLE = readStyle('subject', 'subject');
const FIND_STYLE = readStyle('find', 'find');
const COMPARE_STYLE = readStyle('compare', 'compare');
const HOME_STYLE = readStyle('home', 'home');
const SCRIPT = readAsset('site', 'js');
const ICON = readAsset('icon', 'svg');

/** Path of the common style sheet. */
export const STYLE_PATH = STYLE.path;
/** Path of the console's style sheet. */
export const CONSOLE_STYLE_PATH = CONSOLE_STYLE.path;
/** Path of the documentation's style sheet. */
export const DOCS_STYLE_PATH = DOCS_STYLE.path;
/** Path of the style sheet of subjects' pages. */
export const SUBJECT_STYLE_PATH = SUBJECT_STYLE.path;
/** Path of the style sheet of lists. */
export const FIND_STYLE_PATH = FIND_STYLE.path;
/** Path of the comparison's style sheet. */
export const COMPARE_STYLE_PATH = COMPARE_STYLE.path;
/** Path of the home page's style sheet. */
export const HOME_STYLE_PATH = HOME_STYLE.path;
/** Path of the only script; every page works without it. */
export const SCRIPT_PATH = SCRIPT.path;

const ASSETS = [
  STYLE,
  CONSOLE_STYLE,
  DOCS_STYLE,
  SUBJECT_STYLE,
  FIND_STYLE,
  COMPARE_STYLE,
  HOME_STYLE,
  SCRIPT,
  ICON,
];
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * Serves style sheets, script and icon. Paths with a hash are cached forever; paths with a plain name, which pages of
 * older releases use, are revalidated.
 */
export function registerAssets(pages: FastifyInstance): void {
  for (const { path, plainPath, content, type } of ASSETS) {
    pages.get(path, { config: { public: true } }, async (_request, reply) =>
      reply.type(type).header('Cache-Control', FOREVER).send(content),
    );
    pages.get(plainPath, { config: { public: true } }, async (_request, reply) =>
      reply.type(type).send(content),
    );
  }
  // Browsers request this path by themselves, and use the media type, not the extension.
  pages.get('/favicon.ico', { config: { public: true } }, async (_request, reply) =>
    reply.type(ICON.type).header('Cache-Control', 'public, max-age=86400').send(ICON.content),
  );
}
