import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { resolveSubject } from '../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import { trustEquity } from '../scoring/embedded/lineage-equity.ts';
import { type CreatorRecord, findForeignDescendants, loadCreator } from './identity.queries.ts';

/**
 * A creator with the score of the creator (null without one), and the trust equity from listings of other creators that
 * descend from this creator's listings.
 */
export interface Identity extends CreatorRecord {
  publicPath: string;
  /** Equity from 0 to 100. */
  trustEquity: number;
}

/**
 * Returns the creator with a handle: `handle` or `@handle` means the first host with such a creator, `host:handle` a
 * specific host. Throws not_found.
 */
export async function getIdentity(
  connection: Connection,
  handle: string,
  publicUrls: PublicUrls,
): Promise<Identity> {
  const creator = await findCreator(connection, handle, publicUrls);
  const [record, descendants] = creator
    ? await Promise.all([
        loadCreator(connection, creator.id, publicUrls),
        findForeignDescendants(connection, creator.id),
      ])
    : [null, []];
  if (!creator || !record) throw new DomainError('not_found', `No creator has the handle ${handle}.`);
  return { ...record, publicPath: creator.publicPath, trustEquity: trustEquity(descendants) };
}

/** Finds a creator by handle only. The general look-up also finds creators by id and display name. */
async function findCreator(connection: Connection, handle: string, publicUrls: PublicUrls) {
  const text = handle.includes(':') || handle.startsWith('@') ? handle : `@${handle}`;
  return resolveSubject(connection, 'creator', text, publicUrls).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'subject_not_found') return null;
    if (error.code !== 'subject_ambiguous') throw error;
    throw new DomainError(
      'not_found',
      `Several hosts have the handle ${handle}. Write host:${handle} for one of them.`,
    );
  });
}
