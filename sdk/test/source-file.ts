import type { FileItems, SourceFile } from '../check/item.ts';
import { readRegistries } from '../check/registries.ts';

const NOTHING = { npmrc: [], yarnrc: [], pip: [], environment: {}, mirrors: [] };

/** Returns a file with public registries unless settings say otherwise. */
export const sourceFile = (
  text: string,
  settings: Partial<Parameters<typeof readRegistries>[0]> = {},
): SourceFile => ({
  path: 'file',
  text,
  registries: readRegistries({ ...NOTHING, ...settings }),
});

/**
 * Formats each item as a line: its line number, its label, and the subject to look up, if that differs from the label. A
 * skipped item has the reason in brackets instead of the subject. If the file has local packages, the last line has their
 * number.
 */
export const told = ({ items, local }: FileItems) => [
  ...items.map(({ label, line, subject, skipped }) =>
    `${line} ${label} ${subject === label ? '' : (subject ?? `(${skipped})`)}`.trim(),
  ),
  ...(local ? [`local ${local}`] : []),
];
