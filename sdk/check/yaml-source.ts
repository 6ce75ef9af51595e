import { isAlias, isMap, isScalar, LineCounter, type Pair, parseAllDocuments } from 'yaml';

/** Member of a YAML mapping. */
export interface YamlMember {
  readonly key: string;
  readonly line: number;
  readonly value: unknown;
}

/** Thrown for a text that is not valid YAML, or whose structure is not the expected one. */
export class YamlSourceError extends Error {}

/**
 * Parses YAML. The returned function lists the members of the top-level mapping or, with a name, of the mapping under
 * that name, each with its line. Merges the members of all documents in the text. Throws a YamlSourceError for invalid
 * YAML; the returned function throws one for a value that is neither a mapping nor empty.
 */
export function parseYamlSource(text: string): (name?: string) => YamlMember[] {
  const lineCounter = new LineCounter();
  // Skip the check for duplicate keys: it compares every pair of keys, which takes a second for a large lock file.
  const options = { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const documents = [parseAllDocuments(text, options)].flat();
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error) throw new YamlSourceError(`invalid YAML in line ${lineCounter.linePos(error.pos[0]).line}`);
  return (name) =>
    documents.flatMap((document) => {
      const stated = name === undefined ? document.contents : (document.get(name, true) as unknown);
      const mapping = isAlias(stated) ? stated.resolve(document) : stated;
      if (mapping === undefined || mapping === null || (isScalar(mapping) && mapping.value === null))
        return [];
      // Package managers may read other kinds of values in their own way, so such a value must not count as empty.
      if (!isMap(mapping)) throw new YamlSourceError(`${name ?? 'the document'} is no mapping`);
      return mapping.items.map((pair: Pair) => {
        const { key, value } = pair;
        const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        const node = value as { toJS?(of: typeof document): unknown } | null;
        return {
          key: String(isScalar(key) ? key.value : ''),
          line: lineCounter.linePos(offset).line,
          value: node?.toJS?.(document) ?? null,
        };
      });
    });
}
