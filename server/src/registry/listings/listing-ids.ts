import { randomInt } from 'node:crypto';
import type { Connection } from '../../database/connect.ts';
import { TAKEN_IDS } from './listing-ids.sql.ts';

// Without I, L, O and U, which are taken for other characters or make words.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/** Draws so many agent ids that no listing has; another draw at the same moment is caught by the unique column. */
export async function drawAgentIds(
  connection: Connection,
  count: number,
  draw = drawAgentId,
): Promise<string[]> {
  const ids = new Set<string>();
  while (ids.size < count) {
    const drawn = new Set<string>();
    while (ids.size + drawn.size < count) {
      const id = draw();
      if (!ids.has(id)) drawn.add(id);
    }
    const taken = await connection.query<{ id: string }>(
      // A delisted listing keeps its id, whether it comes back or not.
      TAKEN_IDS,
      [[...drawn]],
    );
    for (const { id } of taken) drawn.delete(id);
    for (const id of drawn) ids.add(id);
  }
  return [...ids];
}

function drawAgentId(): string {
  let id = 'AGT-';
  for (let place = 0; place < LENGTH; place += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}
