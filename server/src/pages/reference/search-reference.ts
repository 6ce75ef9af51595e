import { CHAPTERS } from './docs-frame.tsx';
import { endpointPath, type Reference } from './reference.ts';

/** A place in the documentation that a search can find. */
export interface Place {
  kind: 'Guide' | 'Endpoint' | 'Parameter' | 'Error code';
  title: string;
  /** Where it stands, such as the endpoint of a parameter. */
  about: string;
  path: string;
  /** Words that name it, and words that it holds. */
  names: string[];
  text: string[];
}

/** Everything that can be found: chapters, endpoints, what they take, error codes. */
export function placesOf(reference: Reference): Place[] {
  const chapters = CHAPTERS.map(([id, title]) =>
    place({ kind: 'Guide', title, about: '', path: `/docs#${id}` }, title, ''),
  );
  const endpoints = reference.endpoints.map(
    ({ operationId, method, path, summary, description, group, isWebhook }) =>
      place(
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
      place(
        { kind: 'Parameter', title: name, about: summary, path: `${endpointPath(operationId)}#${at}` },
        name,
        `${description} ${summary}`,
      ),
    );
  });
  const errors = reference.errors.map(({ code, means, next }) =>
    place(
      { kind: 'Error code', title: code, about: means, path: `/docs/errors#${code}` },
      code,
      `${means} ${next}`,
    ),
  );
  return [...chapters, ...endpoints, ...errors, ...parameters];
}

function place(shown: Pick<Place, 'kind' | 'title' | 'about' | 'path'>, names: string, text: string): Place {
  return { ...shown, names: wordsOf(names), text: wordsOf(text) };
}

/** Words in lower case, those that are run together apart as well: `runOperation` is `runoperation`, `run`, `operation`. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  const split = `${text} ${apart}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const whole = text.toLowerCase().split(/[^\p{L}\p{N}_-]+/u);
  return [...new Set([...split, ...whole])].filter((word) => word !== '');
}

/**
 * The places that have every word of a search, each as the beginning of a word; those that are named by it before those that
 * only speak of it.
 */
export function searchPlaces(places: readonly Place[], query: string): Place[] {
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
    .slice(0, MOST)
    .map(({ each }) => each);
}

const MOST = 40;

function weightOf(word: string, { names, text }: Place): number {
  if (names.includes(word)) return 4;
  if (names.some((name) => name.startsWith(word))) return 3;
  return text.some((each) => each.startsWith(word)) ? 1 : 0;
}
