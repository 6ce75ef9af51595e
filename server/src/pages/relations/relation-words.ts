import { toWords } from '../../ui/text.tsx';

/** Which way a relation reads on a page: from its subject, to it, or without a direction. */
export type Direction = 'out' | 'in' | 'both';

/** What stands before the other end. Descent and the like are read from the younger one, renames from the old name. */
const HEADINGS: Readonly<Record<string, Partial<Record<Direction, string>>>> = {
  fork_of: { out: 'Fork of', in: 'Forked as' },
  port_of: { out: 'Port of', in: 'Ported as' },
  based_on: { out: 'Based on', in: 'Base of' },
  built_on: { out: 'Built on', in: 'Used to build' },
  copied_from: { out: 'Copied from', in: 'Copied to' },
  duplicate_of: { out: 'Duplicate of', in: 'Duplicated in' },
  inspired_by: { out: 'Inspired by', in: 'Inspired' },
  successor_of: { out: 'Successor to', in: 'Succeeded by' },
  renamed_to: { out: 'Now called', in: 'Formerly' },
  probable_rename_to: { out: 'Probably now called', in: 'Probably formerly' },
  identical_skill_file: { both: 'Same file in' },
  same_tool_manifest: { both: 'Same tools as' },
  same_name_and_description: { both: 'Same name and description as' },
};

/** What stands on a line of the drawing, where it is shorter than the kind itself. */
const ON_LINES: Readonly<Record<string, string>> = {
  renamed_to: 'renamed',
  probable_rename_to: 'renamed?',
  identical_skill_file: 'same files',
  same_tool_manifest: 'same tools',
  same_name_and_description: 'same words',
};

/** What stands before the other end of a relation. A kind that has no words of its own is told by its name. */
export function headingOf(kind: string, direction: Direction): string {
  const words = wordsOf(HEADINGS, kind)?.[direction];
  if (words !== undefined) return words;
  const name = toWords(kind);
  const heading = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return direction === 'in' ? `Named as its “${name}” by` : heading;
}

/** What stands on the line between the two ends; `files` is how many it is said of, 0 for the whole repository. */
export function lineWord(kind: string, files = 0): string {
  const word = wordsOf(ON_LINES, kind) ?? toWords(kind);
  return files === 1 ? word.replace(/ files$/, ' file') : word;
}

/** Whether the other end comes before the subject in time, as far as the kind of the relation says. */
export function comesBefore(kind: string, direction: Direction): boolean {
  const isRename = kind === 'renamed_to' || kind === 'probable_rename_to';
  return direction !== 'both' && (direction === 'in') === isRename;
}

/** Kinds come from files of others: one named like a property of every object has no words here either. */
function wordsOf<Words>(words: Readonly<Record<string, Words>>, kind: string): Words | undefined {
  return Object.hasOwn(words, kind) ? words[kind] : undefined;
}
