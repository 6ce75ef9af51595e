import { CHAPTERS } from './docs-layout.tsx';
import { endpointPath, type Reference } from './reference.ts';

/** Searchable place in the documentation. */
export interface SearchEntry {
  kind: 'Guide' | 'Endpoint' | 'Parameter' | 'Error code';
  title: string;
  /** Context, such as the endpoint of a parameter. */
  about: string;
  path: string;
  /** Words of its name, which rank higher than words of its text. */
  names: string[];
  text: string[];
}

/** Indexes chapters, endpoints, error codes and parameters for the search. */
export function buildSearchIndex(reference: Reference): SearchEntry[] {
  const chapters = CHAPTERS.map(([id, title]) =>
    createPlace({ kind: 'Guide', title, about: '', path: `/docs#${id}` }, title, ''),
  );
  const endpoints = reference.endpoints.map(
    ({ operationId, method, path, summary, description, group, isWebhook }) =>
      createPlace(
        {
          kind: 'Endpoint',
          title: summary,
          about: isWebhook ? 'called by this service' : `${method} ${path}`,
          path: endpointPath(operationId),
        },
        `${summary} ${operationId} ${path}`,
        `${group} ${method} ${description}`,
      ),
  );
  const parameters = reference.endpoints.flatMap(({ operationId, summary, parameters: taken, body }) => {
    const all = [
      ...taken.map(({ field }) => ({ ...field, at: `parameter-${field.name}` })),
      ...(body?.fields ?? []).map((field) => ({ ...field, at: `body-${field.name}` })),
    ];
    return all.map(({ name, description, at }) =>
      createPlace(
        { kind: 'Parameter', title: name, about: summary, path: `${endpointPath(operationId)}#${at}` },
        name,
        `${description} ${summary}`,
      ),
    );
  });
  const errors = reference.errors.map(({ code, means, next }) =>
    createPlace(
      { kind: 'Error code', title: code, about: means, path: `/docs/errors#${code}` },
      code,
      `${means} ${next}`,
    ),
  );
  return [...chapters, ...endpoints, ...errors, ...parameters];
}

function createPlace(
  shown: Pick<SearchEntry, 'kind' | 'title' | 'about' | 'path'>,
  names: string,
  text: string,
): SearchEntry {
  return { ...shown, names: wordsOf(names), text: wordsOf(text) };
}

/** Splits a text into lower-case words, and camelCase too: `runOperation` gives `runoperation`, `run`, `operation`. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  const split = `${text} ${apart}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const whole = text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return [...new Set([...split, ...whole])].filter((word) => word !== '');
}

/** Finds the places that contain every word of a query as a prefix. Matches in names rank before matches in texts. */
export function searchIndex(places: readonly SearchEntry[], query: string): SearchEntry[] {
  const asked = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '');
  if (asked.length === 0) return [];
  const scored = places.flatMap((each, index) => {
    const weights = asked.map((word) => weightOf(word, each));
    const isFound = weights.every((weight) => weight > 0);
    return isFound ? [{ each, index, weight: weights.reduce((sum, weight) => sum + weight, 0) }] : [];
  });
  return scored
    .sort((one, other) => other.weight - one.weight || one.index - other.index)
    .slice(0, MAX_RESULTS)
    .map(({ each }) => each);
}

const MAX_RESULTS = 40;

function weightOf(word: string, { names, text }: SearchEntry): number {
  if (names.includes(word)) return 4;
  if (names.some((name) => name.startsWith(word))) return 3;
  return text.some((each) => each.startsWith(word)) ? 1 : 0;
}
