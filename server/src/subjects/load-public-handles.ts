import type { Connection } from '../database/connect.ts';
import type { Naming } from './naming.ts';
import { findPublicHandles } from './public-paths.repository.ts';

/** A creator as the rows of a list name it. */
interface Named {
  creatorId: string;
  creatorHost: string;
}

/** Handles by which creators are told from others, by the creators' ids. A creator who is not in it goes by the bare handle. */
export type PublicHandles = ReadonlyMap<string, string>;

/** Those of creators whom a bare handle may not lead to. Nobody comes before the first host, so its creators cost nothing. */
export async function loadPublicHandles(
  connection: Connection,
  shown: readonly Named[],
  naming: Naming,
): Promise<PublicHandles> {
  const others = shown.filter(({ creatorHost }) => creatorHost !== naming.hosts[0]);
  if (others.length === 0) return new Map();
  const ids = [...new Set(others.map(({ creatorId }) => creatorId))];
  const rows = await findPublicHandles(connection, ids, naming);
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}
