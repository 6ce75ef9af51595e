import type { Connection } from '../../database/connect.ts';
import { DomainError } from '../../domain-error.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import { siteOf } from '../frame/absolute-address.ts';
import { findStretch, findStretchEnds } from './sitemap.repository.ts';

/** Addresses of one file: well under what search engines take, and quick to find. */
const STRETCH = 250;
/** Before every id. */
const START = '00000000-0000-0000-0000-000000000000';

/** The addresses of all subjects as XML files that crawlers read. */
export interface Sitemap {
  /** A sitemap of sitemaps: one for each stretch of subjects. */
  index(): Promise<string>;
  /** One of them, from 1; throws not_found. */
  page(number: unknown): Promise<string>;
}

/**
 * Sitemaps of subjects in the order of their ids. New ids come last, so where a stretch ends is kept once it is known: a
 * page reads its own rows alone, however many come before it.
 */
export function createSitemap(database: Connection, naming: Naming, stretch = STRETCH): Sitemap {
  const site = siteOf(naming);
  const ends: string[] = [];
  let reading: Promise<void> | null = null;

  /** Reads on from the last known end; one reading serves everybody who waits for it. */
  async function readEnds(): Promise<void> {
    reading ??= findStretchEnds(database, ends.at(-1) ?? START, stretch)
      .then((found) => void ends.push(...found))
      .finally(() => {
        reading = null;
      });
    await reading;
  }

  return {
    async index() {
      await readEnds();
      const entries = Array.from(
        { length: ends.length + 1 },
        (_, index) => `<sitemap><loc>${escapeXml(`${site}/sitemap.xml?page=${index + 1}`)}</loc></sitemap>`,
      );
      return document('sitemapindex', entries);
    },
    async page(asked) {
      const number = Number(asked);
      if (number > ends.length) await readEnds();
      if (!Number.isInteger(number) || number < 1 || number > ends.length + 1) {
        throw new DomainError('not_found', 'There is no such sitemap. They are listed at /sitemap.xml.');
      }
      const subjects = await findStretch(database, ends[number - 2] ?? START, ends[number - 1] ?? null);
      const paths = await loadPublicPaths(database, subjects, naming);
      const own =
        number === 1
          ? ['/', '/agents', '/method', '/docs', '/pricing'].map((path) => entry(`${site}${path}`, null))
          : [];
      const others = subjects.flatMap(({ id, changed }) => {
        const path = paths.get(id);
        return path === undefined ? [] : [entry(`${site}${path}`, changed)];
      });
      return document('urlset', [...own, ...others]);
    },
  };
}

function entry(address: string, changed: string | null): string {
  const day = changed === null ? '' : `<lastmod>${changed}</lastmod>`;
  return `<url><loc>${escapeXml(address)}</loc>${day}</url>`;
}

function document(root: 'sitemapindex' | 'urlset', entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
