import { isMap, isScalar, LineCounter, type Pair, parseAllDocuments } from 'yaml';

/** Member of a YAML mapping. */
export interface YamlMember {
  readonly key: string;
  readonly line: number;
  readonly value: unknown;
}

/** Thrown for a text that is no YAML. */
export class YamlSourceError extends Error {}

/**
 * Returns a function that reads the members of a top-level mapping, or those of a mapping in it, with their lines. Of several
 * documents in one text, all members are returned. Throws a YamlSourceError.
 */
export function parseYamlSource(text: string): (name?: string) => YamlMember[] {
  const lineCounter = new LineCounter();
  // Duplicate keys are looked for by comparing all with all, which takes a second in a large lock file.
  const options = { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
  const documents = [parseAllDocuments(text, options)].flat();
  const [error] = documents.flatMap(({ errors }) => errors);
  if (error) throw new YamlSourceError(`invalid YAML in line ${lineCounter.linePos(error.pos[0]).line}`);
  return (name) =>
    documents.flatMap((document) => {
      const mapping = name === undefined ? document.contents : document.get(name, true);
      if (!isMap(mapping)) return [];
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
