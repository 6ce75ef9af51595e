import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
} as const;

interface Asset {
  /** Carries a hash of the content: anyone who has it need never ask again. */
  path: string;
  plainPath: string;
  content: Buffer;
  type: string;
}

function readText(file: string): string {
  return readFileSync(new URL(`../../assets/${file}`, import.meta.url), 'utf8');
}

/** One file of a page's styles: what all pages share, then what only its kind needs. Spaces and comments stay at home. */
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

/** Address of the one style sheet. */
export const STYLE_PATH = STYLE.path;
/** Address of the one style sheet of signed-in pages. */
export const CONSOLE_STYLE_PATH = CONSOLE_STYLE.path;
/** Address of the one style sheet of the documentation. */
export const DOCS_STYLE_PATH = DOCS_STYLE.path;
/** Address of the one style sheet of a subject's page: what is known of it and why. */
export const SUBJECT_STYLE_PATH = SUBJECT_STYLE.path;
/** Address of the one style sheet of lists. */
export const FIND_STYLE_PATH = FIND_STYLE.path;
/** Address of the one style sheet of a comparison. */
export const COMPARE_STYLE_PATH = COMPARE_STYLE.path;
/** Address of the one style sheet of the home page. */
export const HOME_STYLE_PATH = HOME_STYLE.path;
/** Address of the one script; every page works without it. */
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

/** Serves what the pages load: under a hash for ever, under its plain name (a page of an older release) with a check. */
export function registerAssets(pages: FastifyInstance): void {
  for (const { path, plainPath, content, type } of ASSETS) {
    pages.get(path, { config: { public: true } }, async (_request, reply) =>
      reply.type(type).header('Cache-Control', FOREVER).send(content),
    );
    pages.get(plainPath, { config: { public: true } }, async (_request, reply) =>
      reply.type(type).send(content),
    );
  }
  // Browsers ask for it by themselves; they go by the type and not by the name.
  pages.get('/favicon.ico', { config: { public: true } }, async (_request, reply) =>
    reply.type(ICON.type).header('Cache-Control', 'public, max-age=86400').send(ICON.content),
  );
}
