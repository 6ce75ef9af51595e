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

const STYLE = readAsset('site', 'css');
// One file for signed-in pages too: what all pages share, and what only they need.
const CONSOLE_STYLE = toAsset('console', 'css', `${STYLE.content}${readText('console.css')}`);
const SCRIPT = readAsset('site', 'js');
const ICON = readAsset('icon', 'svg');
const DOCS_STYLE = toAsset('docs', 'css', `${STYLE.content}${readText('docs.css')}`);

/** Address of the one style sheet. */
export const STYLE_PATH = STYLE.path;
/** Address of the one style sheet of signed-in pages. */
export const CONSOLE_STYLE_PATH = CONSOLE_STYLE.path;
/** Address of the one style sheet of the documentation. */
export const DOCS_STYLE_PATH = DOCS_STYLE.path;
/** Address of the one script; every page works without it. */
export const SCRIPT_PATH = SCRIPT.path;

const ASSETS = [STYLE, CONSOLE_STYLE, DOCS_STYLE, SCRIPT, ICON];
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
