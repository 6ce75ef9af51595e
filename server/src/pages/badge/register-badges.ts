import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import type { Naming } from '../../subjects/naming.ts';
import { type ResolvedSubject, resolveSubject } from '../../subjects/resolve-subject.ts';
import { SUBJECT_TYPES } from '../../subjects/subject-type.ts';
import {
  type BadgeScore,
  badgeJson,
  badgeSvg,
  delistedBadgeJson,
  delistedBadgeSvg,
  unknownBadgeSvg,
} from '../../ui/badge.tsx';
import { OF_ONE, type PageParts } from '../frame/page-parts.ts';
import { findBadgeScore } from './badge-score.repository.ts';
import { cardSvg } from './card.tsx';
import { createCardPictures } from './card-picture.ts';

/** README proxies ask again after this; the tag then spares them the picture. */
const CACHE = 'public, max-age=300';
const SVG = 'image/svg+xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** The type of a subject, and its id or the badge's file that begins with it. */
interface BadgeRoute {
  Params: { type: string; id?: string; file?: string };
}

/**
 * Badges and cards: the same row as page and API, drawn here. An unknown subject has a badge that says so, with 404, and a
 * delisted one with 410.
 */
export function registerBadges(pages: FastifyInstance, { naming }: PageParts): void {
  const pictures = createCardPictures();
  pages.get<BadgeRoute>('/badge/:type/:id/card.png', OF_ONE, async (request, reply) => {
    const { subject, score } = await loadBadge(request, naming);
    const { type, name, publicPath } = subject;
    const card = cardSvg({ kind: type.replace('_', ' '), name, path: publicPath }, score);
    return reply
      .type('image/png')
      .header('Cache-Control', CACHE)
      .send(await pictures.draw(card));
  });
  pages.get<BadgeRoute>('/badge/:type/:file', OF_ONE, async (request, reply) => {
    const isPicture = request.params.file?.endsWith('.svg') ?? false;
    const badge = await loadBadge(request, naming).catch((thrown: unknown) => {
      const status = thrown instanceof DomainError ? thrown.status : 500;
      if (status === 410 || (isPicture && status === 404)) return status;
      throw thrown;
    });
    reply.header('Cache-Control', CACHE).type(isPicture ? SVG : JSON_TYPE);
    if (badge === 404) return reply.code(badge).send(unknownBadgeSvg());
    if (badge === 410) {
      return reply.code(badge).send(isPicture ? delistedBadgeSvg() : JSON.stringify(delistedBadgeJson()));
    }
    return reply.send(isPicture ? badgeSvg(badge.score) : JSON.stringify(badgeJson(badge.score)));
  });
}

async function loadBadge(
  { reads, params: { type: asked, id, file = '' } }: FastifyRequest<BadgeRoute>,
  naming: Naming,
): Promise<{ subject: ResolvedSubject; score: BadgeScore | null }> {
  const type = SUBJECT_TYPES.find((each) => each === asked);
  const text = id ?? /^(.+)\.(?:svg|json)$/.exec(file)?.[1];
  if (!type || !text) {
    throw new DomainError(
      'not_found',
      'A badge is at /badge/{type}/{id}.svg or .json, with an AGT- id or a canonical id.',
    );
  }
  const subject = await resolveSubject(reads, type, text, naming);
  return { subject, score: await findBadgeScore(reads, subject.id) };
}
