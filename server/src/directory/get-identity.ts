import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { resolveSubject } from '../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import { trustEquity } from '../scoring/embedded/lineage-equity.ts';
import { type CreatorRecord, findForeignDescendants, loadCreator } from './identity.queries.ts';

/**
 * A creator with its score (null without one) and its trust equity, which comes from listings of other creators that
 * descend from this creator's listings.
 */
export interface Identity extends CreatorRecord {
  publicPath: string;
  /** Equity from 0 to 100. */
  trustEquity: number;
}

/**
 * Returns the creator with a handle: `host:handle` means a specific host, `handle` or `@handle` the first host with
 * such a creator in the configured order. Throws not_found, also if several hosts have the handle and no order is
 * configured for them.
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
