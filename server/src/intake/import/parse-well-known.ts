import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { cardOf, skillsOf } from '../../hosts/lookup/well-known.ts';
import type { WellKnownRow } from './save-well-known.ts';
import { describeViolations, type Parsed, type RejectedRow, rejectRow } from './validate-row.ts';

type WellKnownKind = 'agent_card' | 'skills_index';

/**
 * Parses an agent card of A2A. Its domain is that of the agent's first interface, because a card does not say from
 * where it was read.
 */
export function parseAgentCard(imported: ImportedRow): Parsed<'agent_card'> | RejectedRow {
  return parseFile('agent_card', imported, ({ supportedInterfaces: [first] }, text) => {
    const domain = domainOf(first?.url);
    return domain === null ? null : { domain, files: { card: cardOf(text, domain) } };
  });
}

/**
 * Parses an index of skills. Its domain is that of its own `url`, if it has one, otherwise that of the first absolute
 * address of a skill.
 */
export function parseSkillsIndex(imported: ImportedRow): Parsed<'skills_index'> | RejectedRow {
  return parseFile('skills_index', imported, ({ url, skills }, text) => {
    const domain = [url, ...skills.map((skill) => skill.url)].map(domainOf).find((found) => found !== null);
    return domain === undefined || domain === null
      ? null
      : { domain, files: { skills: skillsOf(text, domain) } };
  });
}

/** Fields of both files that schemas have checked. */
interface CheckedFile {
  url?: string | null;
  supportedInterfaces: { url: string }[];
  skills: { url: string }[];
}

function parseFile<Kind extends WellKnownKind>(
  kind: Kind,
  imported: ImportedRow,
  read: (row: CheckedFile, text: string) => WellKnownRow | null,
): Parsed<Kind> | RejectedRow {
  const reason = describeViolations(kind, imported);
  if (reason !== null) return rejectRow(kind, reason);
  try {
    const row = read(imported as unknown as CheckedFile, JSON.stringify({ ...imported }));
    if (row === null) return rejectRow(kind, 'no https address in it says from which domain it is');
    return { kind, row, keys: [`${kind} ${row.domain}`] } as unknown as Parsed<Kind>;
  } catch (error) {
    if (error instanceof HostFailure) return rejectRow(kind, error.message);
    throw error;
  }
}

/** Returns the domain of an https address; null for other texts. */
function domainOf(url: string | null | undefined): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' ? hostname : null;
}
