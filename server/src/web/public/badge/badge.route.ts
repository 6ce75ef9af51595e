import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { createTurns } from '../../../platform/batching/concurrent-calls.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { SUBJECT_TYPES } from '../../../scoring/subject-type.ts';
import {
  type BadgeScore,
  badgeJson,
  badgeSvg,
  delistedBadgeJson,
  delistedBadgeSvg,
  unknownBadgeSvg,
} from '../../components/badge-drawing.tsx';
import { type PageDependencies, SUBJECT_ROUTE } from '../frame/page-dependencies.ts';
import { findBadgeScore } from '../score/score-detail.queries.ts';
import { cardSvg } from './card-svg.tsx';

const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

const OPTIONS = {
  font: {
    fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => join(FONTS, file)),
    loadSystemFonts: false,
    defaultFontFamily: 'DejaVu Sans',
  },
};

/**
 * Maximum cached pictures of about 30 kB each. A cache helps, because several sites request the picture of a shared link
 * within a minute.
 */
const MAX_CACHED = 100;

/**
 * Maximum concurrent renderings. Each occupies one thread of libuv's pool for some tens of milliseconds. File reads need
 * these threads, too.
 */
const MAX_CONCURRENT = 2;

const MAX_QUEUED = 20;

/** Renders cards as PNG, because sites that preview links do not accept SVG. */
interface CardRenderer {
  /** Returns the PNG of an SVG, from the cache if possible. Throws `unavailable` if the queue is full. */
  render(svg: string): Promise<Buffer>;
}

/**
 * Creates a renderer with an LRU cache and a bounded queue. Without one of them, `card-renderer.test.ts` fails.
 */
export function createCardRenderer(render: (svg: string) => Promise<Buffer> = renderPng): CardRenderer {
  const pictures = new Map<string, Promise<Buffer>>();
  const turns = createTurns({
    concurrent: MAX_CONCURRENT,
    maxWaiting: MAX_QUEUED,
    message: 'Too many pictures are being drawn. Retry in a moment.',
  });

  return {
    async render(svg) {
      const known = pictures.get(svg);
      if (known) {
        // Move the entry to the end, because entries are evicted from the beginning.
        pictures.delete(svg);
        pictures.set(svg, known);
        return known;
      }
      const picture = turns(() => render(svg));
      pictures.set(svg, picture);
      picture.catch(() => pictures.delete(svg));
      for (const oldest of pictures.keys()) if (pictures.size > MAX_CACHED) pictures.delete(oldest);
      return picture;
    },
  };
}

async function renderPng(svg: string): Promise<Buffer> {
  // Import the library when the first picture is rendered, because most processes render none.
  const { renderAsync } = await import('@resvg/resvg-js');
  return (await renderAsync(svg, OPTIONS)).asPng();
}

/**
 * Lets caches, such as the image proxies of READMEs, keep a response for five minutes. After that, they revalidate it by
 * its ETag.
 */
const CACHE_CONTROL = 'public, max-age=300';
const SVG = 'image/svg+xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Route parameters: the subject's type, and either its id (`card.png`) or the file name of the badge. */
interface BadgeRoute {
  Params: { type: string; id?: string; file?: string };
}

/**
 * Registers badges (SVG and JSON) and link previews (PNG), which show the same score as the page and the API. The SVG
 * badge of an unknown subject says `not listed`, with status 404. Both badges of a delisted subject say so, with 410.
 */
export function registerBadgeRoutes(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  const pictures = createCardRenderer();
  pages.get<BadgeRoute>('/badge/:type/:id/card.png', SUBJECT_ROUTE, async (request, reply) => {
    const { subject, score } = await loadBadge(request, publicUrls);
    const { type, name, publicPath } = subject;
    const card = cardSvg({ kind: type.replace('_', ' '), name, path: publicPath }, score);
    return reply
      .type('image/png')
      .header('Cache-Control', CACHE_CONTROL)
      .send(await pictures.render(card));
  });
  pages.get<BadgeRoute>('/badge/:type/:file', SUBJECT_ROUTE, async (request, reply) => {
    const isPicture = request.params.file?.endsWith('.svg') ?? false;
    const badge = await loadBadge(request, publicUrls).catch((thrown: unknown) => {
      const status = thrown instanceof DomainError ? thrown.status : 500;
      if (status === 410 || (isPicture && status === 404)) return status;
      throw thrown;
    });
    reply.header('Cache-Control', CACHE_CONTROL).type(isPicture ? SVG : JSON_TYPE);
    if (badge === 404) return reply.code(badge).send(unknownBadgeSvg());
    if (badge === 410) {
      return reply.code(badge).send(isPicture ? delistedBadgeSvg() : JSON.stringify(delistedBadgeJson()));
    }
    return reply.send(isPicture ? badgeSvg(badge.score) : JSON.stringify(badgeJson(badge.score)));
  });
}

async function loadBadge(
  { reads, params: { type: asked, id, file = '' } }: FastifyRequest<BadgeRoute>,
  publicUrls: PublicUrls,
): Promise<{ subject: ResolvedSubject; score: BadgeScore | null }> {
  const type = SUBJECT_TYPES.find((each) => each === asked);
  const text = id ?? /^(.+)\.(?:svg|json)$/.exec(file)?.[1];
  if (!type || !text) {
    throw new DomainError(
      'not_found',
      'A badge is at /badge/{type}/{id}.svg or .json, with an AGT- id or a canonical id.',
    );
  }
  const subject = await resolveSubject(reads, type, text, publicUrls);
  return { subject, score: await findBadgeScore(reads, subject.id) };
}
