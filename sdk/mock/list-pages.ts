import type { ListInput } from '../../server/src/directory/lists/list-agents.ts';
import { pageLinks } from '../../server/src/directory/lists/page-links.ts';
import type { PickedAnswer, Prism } from './prism.ts';

/** Page parameters of a list request. */
export interface PageQuery {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
}

type Page = Readonly<Record<string, unknown>> & {
  readonly data: readonly unknown[];
  readonly nextCursor: string | null;
};

/** Returns the requested page of a list's example entries; null for a cursor that this list doesn't have. */
export function pageOfExamples(
  prism: Prism,
  operationId: string,
  picked: PickedAnswer,
  query: PageQuery,
): PickedAnswer | null {
  const { limit, offset = 0, cursor } = query;
  const { entries, places } = listOf(prism, operationId);
  const from = cursor === undefined ? offset : (offsetOf(operationId, cursor) ?? places.get(cursor));
  if (from === undefined) return null;
  const to = from + limit;
  const example = picked.body as Page;
  const body = {
    ...example,
    data: entries.slice(from, to),
    ...('total' in example && { total: entries.length, offset, limit }),
    nextCursor: to < entries.length ? cursorOf(operationId, to) : null,
  };
  const links = 'link' in picked.headers ? pageLinks(linkInput(query), body.nextCursor) : null;
  return { ...picked, headers: { ...picked.headers, ...(links !== null && { link: links }) }, body };
}

/** Converts page parameters to the input of the directory's list, without filters and in its default order. */
function linkInput({ offset = 0, ...given }: PageQuery): ListInput {
  const none = {
    q: null,
    verified: null,
    tier: null,
    category: null,
    sort: 'score_desc',
    cursor: null,
  } as const;
  return { ...none, ...given, offset };
}

/** Collects the distinct entries of a list's example pages, and for each page's cursor the offset of the next entry. */
function listOf(prism: Prism, operationId: string) {
  const pages = [...prism.answerExamples(operationId, 200).values()] as Page[];
  const entries = new Map<string, unknown>();
  const places = new Map<string, number>();
  for (const { data, nextCursor } of pages) {
    for (const entry of data) entries.set(JSON.stringify(entry), entry);
    const last = JSON.stringify(data.at(-1));
    if (nextCursor !== null) places.set(nextCursor, [...entries.keys()].indexOf(last) + 1);
  }
  return { entries: [...entries.values()], places };
}

function cursorOf(operationId: string, place: number): string {
  return Buffer.from(JSON.stringify([operationId, place])).toString('base64url');
}

function offsetOf(operationId: string, cursor: string): number | undefined {
  try {
    const [list, place] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    return list === operationId && Number.isSafeInteger(place) && Number(place) > 0
      ? Number(place)
      : undefined;
  } catch {
    return undefined;
  }
}
