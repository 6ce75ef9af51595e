import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { trustEquity } from '../scoring/embedded/lineage-equity.ts';
import type { Naming } from '../subjects/naming.ts';
import { resolveSubject } from '../subjects/resolve-subject.ts';
import { type CreatorRecord, findForeignDescendants, loadCreator } from './identity.repository.ts';

/** A creator with their own confirmed score, null until there is one, and what others built on their work. */
export interface Identity extends CreatorRecord {
  publicPath: string;
  /** 0 to 100. */
  trustEquity: number;
}

/**
 * The creator whose handle this is: `handle` or `@handle` for the first host that has it, `host:handle` for another. Throws
 * not_found.
 */
export async function getIdentity(connection: Connection, handle: string, naming: Naming): Promise<Identity> {
  const creator = await findCreator(connection, handle, naming);
  const record = creator && (await loadCreator(connection, creator.id, naming));
  if (!creator || !record) throw new DomainError('not_found', `No creator has the handle ${handle}.`);
  const descendants = await findForeignDescendants(connection, creator.id);
  return { ...record, publicPath: creator.publicPath, trustEquity: trustEquity(descendants) };
}

/** Handles only: neither an id nor a display name is one, although both lead to creators elsewhere. */
async function findCreator(connection: Connection, handle: string, naming: Naming) {
  const text = handle.includes(':') || handle.startsWith('@') ? handle : `@${handle}`;
  return resolveSubject(connection, 'creator', text, naming).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'subject_not_found') return null;
    if (error.code !== 'subject_ambiguous') throw error;
    throw new DomainError(
      'not_found',
      `Several hosts have the handle ${handle}. Write host:${handle} for one of them.`,
    );
  });
}
