import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import type { RegistryLine } from '../../catalog/packages/registry-entry.fragment.ts';
import { saveRegistryEntries } from '../../catalog/packages/save-registry-entries.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { MCP_REGISTRY_HOST, readRegistryPage } from '../../hosts/lookup/mcp-registry.ts';
import type { Database } from '../../platform/database/connect.ts';
import { parseServer } from '../import/parse-server.ts';
import { scheduleItems } from './leased-source.queries.ts';
import { createLeasedSource } from './leased-source.ts';
import type { RefreshSource } from './refresh-source.ts';

const SOURCE = 'mcp-registry';
const DAY_SECONDS = 86_400;
/** Time from which the first pass reads changes. The registry has no older entries. */
const BEGINNING = '2025-01-01T00:00:00.000Z';
/** Overlap of two passes, because clocks differ and the registry may show an update late. */
const OVERLAP_MS = 3_600_000;
/**
 * Maximum failures in a row after which a pass continues at its cursor. After more, the pass restarts, because the
 * cursor may no longer be valid.
 */
const FAILURES_WITH_CURSOR = 2;

/**
 * State between two pages. A pass reads all pages of changes since a time; the next pass reads the changes since this
 * pass began.
 */
interface PassState {
  since?: string;
  cursor?: string | null;
  beganAt?: string;
  /** Number of pages that the pass has read. */
  pages?: number;
  /** Next cursor of the last page whose number is a power of two. A pass that reaches it again would never end. */
  mark?: string | null;
}

/**
 * Creates the source of entries of the MCP registry. Each reading is one page of the list of changed versions,
 * including deleted versions, so that an interrupted pass continues at its cursor. Each pass begins a day after the end
 * of the previous pass.
 */
export function registrySource({ database, hosts }: { database: Database; hosts: Hosts }): RefreshSource {
  return createLeasedSource<readonly RegistryLine[]>(database, {
    name: 'pages of the MCP registry',
    source: SOURCE,
    checkSeconds: DAY_SECONDS,
    goneSeconds: DAY_SECONDS,
    locksRegistry: true,
    async prepare() {
      const item = { item: 'servers', host: MCP_REGISTRY_HOST, listingId: null };
      await scheduleItems(database, SOURCE, [item]);
      return [MCP_REGISTRY_HOST];
    },
    async read({ state, failures }, signal) {
      const { since = BEGINNING, cursor = null, beganAt, ...earlier } = state as PassState;
      const startsAnew = cursor === null || failures > FAILURES_WITH_CURSOR;
      const page = await readRegistryPage(hosts, { since, cursor: startsAnew ? null : cursor, signal });
      const began = startsAnew || beganAt === undefined ? new Date().toISOString() : beganAt;
      const isLast = page.nextCursor === null;
      const seen = markPage(page.nextCursor, startsAnew ? {} : earlier);
      const next: PassState = isLast
        ? { since: new Date(Date.parse(began) - OVERLAP_MS).toISOString() }
        : { since, cursor: page.nextCursor, beganAt: began, ...seen };
      return {
        value: page.servers.flatMap(linesOf),
        state: { ...next },
        requests: 1,
        rateLimit: page.rateLimit,
        nextCheckSeconds: isLast ? DAY_SECONDS : 0,
      };
    },
    async store(connection, _, lines) {
      if (lines === null || lines.length === 0) return [];
      const { saved, due, storeAliases } = await saveRegistryEntries(connection, lines);
      await storeAliases?.();
      return [...saved, ...due];
    },
  });
}

/**
 * Counts a page and remembers its next cursor. Throws a HostFailure if the cursors repeat (Brent's algorithm): a cycle
 * is found within three times its length, without storing all cursors.
 */
function markPage(
  nextCursor: string | null,
  { pages: earlier = 0, mark = null }: Pick<PassState, 'pages' | 'mark'>,
): Pick<PassState, 'pages' | 'mark'> {
  if (nextCursor !== null && nextCursor === mark) {
    throw new HostFailure('unusable', `${MCP_REGISTRY_HOST} repeats its pages.`);
  }
  const pages = earlier + 1;
  return { pages, mark: Number.isInteger(Math.log2(pages)) ? nextCursor : mark };
}

/**
 * Parses an entry as an import does. An invalid entry is skipped, so that the other entries of its page are still
 * stored.
 */
function linesOf(entry: Readonly<Record<string, unknown>>): RegistryLine[] {
  const parsed = parseServer(entry as ImportedRow);
  return 'row' in parsed ? [parsed.row] : [];
}
