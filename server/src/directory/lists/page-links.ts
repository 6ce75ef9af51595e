import { chosenOf, SHOWN_FILTERS } from './filters.ts';
import type { ListInput } from './list-agents.ts';

/**
 * Builds the Link header (RFC 8288) for the pages before and after this one. Null if there are none. A page after a
 * cursor has no link to the page before it.
 */
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
  const { q, sort, updatedSince = null } = input;
  const query = new URLSearchParams(q === null ? {} : { q });
  for (const [name, value] of chosenOf(SHOWN_FILTERS, input)) query.set(name, String(value));
  if (updatedSince !== null) query.set('updatedSince', new Date(updatedSince).toISOString());
  if (sort !== 'score_desc') query.set('sort', sort);
  for (const [name, value] of Object.entries(place)) query.set(name, String(value));
  return `</api/agents?${query}>; rel="${relation}"`;
}
