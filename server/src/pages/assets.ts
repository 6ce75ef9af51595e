import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
} as const;

interface Asset {
  /** Carries a hash of the content: whoever has it need never ask again. */
  path: string;
  plainPath: string;
  content: string;
  type: string;
}

function readAsset(name: string, extension: keyof typeof TYPES): Asset {
  const content = readFileSync(new URL(`../../assets/${name}.${extension}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
  return {
    path: `/assets/${name}-${hash}.${extension}`,
    plainPath: `/assets/${name}.${extension}`,
    content,
    type: TYPES[extension],
  };
}

const STYLE = readAsset('site', 'css');
const SCRIPT = readAsset('site', 'js');
const ICON = readAsset('icon', 'svg');

/** Address of the one style sheet. */
export const STYLE_PATH = STYLE.path;
/** Address of the one script; every page works without it. */
export const SCRIPT_PATH = SCRIPT.path;

const FOREVER = 'public, max-age=31536000, immutable';

/** Serves what the pages load: under a hash for ever, under its plain name (a page of an older release) with a check. */
export function registerAssets(pages: FastifyInstance): void {
  for (const { path, plainPath, content, type } of [STYLE, SCRIPT, ICON]) {
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
