import type { ListInput } from './list-agents.ts';

/** Builds the Link header (RFC 8288) for the pages before and after this one. Null if there are none. */
export function pageLinks(input: ListInput, nextCursor: string | null): string | null {
  const links: string[] = [];
  if (input.cursor === null && input.offset > 0) {
    const offset = Math.max(0, input.offset - input.limit);
    // The first page may be shorter, because it ends before the start of the current page.
    const limit = Math.min(input.limit, input.offset);
    links.push(link(input, { limit, offset }, 'prev'));
  }
  if (nextCursor !== null) links.push(link(input, { limit: input.limit, cursor: nextCursor }, 'next'));
  return links.length === 0 ? null : links.join(', ');
}

function link(input: ListInput, place: Record<string, string | number>, relation: string): string {
  const { q, verified, tier, category, type = null, kind = null, license = null, tag = null } = input;
  const sort = input.sort === 'score_desc' ? null : input.sort;
  const filters = { q, verified, tier, category, type, kind, license, tag, sort, ...place };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) if (value !== null) query.set(name, String(value));
  return `</api/agents?${query}>; rel="${relation}"`;
}
