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
 * Returns each item as a line with its line number, its label, and the subject that is looked up, if it differs from
 * the label. A skipped item has the reason in brackets instead. The last line has the number of local packages, if
 * there are any.
 */
export const told = ({ items, local }: FileItems) => [
  ...items.map(({ label, line, subject, skipped }) =>
    `${line} ${label} ${subject === label ? '' : (subject ?? `(${skipped})`)}`.trim(),
  ),
  ...(local ? [`local ${local}`] : []),
];
