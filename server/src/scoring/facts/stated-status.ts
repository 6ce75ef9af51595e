import type { StatedStatus } from '../fact-types.ts';

const STATUS_OF_WORD: Readonly<Record<string, StatedStatus['status']>> = {
  archived: 'archived',
  deprecated: 'deprecated',
  discontinued: 'unmaintained',
  unmaintained: 'unmaintained',
  abandoned: 'unmaintained',
  'not maintained': 'unmaintained',
  'no longer maintained': 'unmaintained',
  'maintenance mode': 'unmaintained',
};
const WORDS = Object.keys(STATUS_OF_WORD).join('|').replaceAll(' ', '[ -]');

/**
 * Matches a status at the beginning of a description, after symbols: "📦 Archived (2026-04). …", "[DEPRECATED] …". A
 * punctuation mark or the end must follow, because "Archived web pages as Markdown" describes what a tool does.
 */
const LABEL = new RegExp(`^[^\\p{L}\\p{N}]*(${WORDS})\\s*(?:$|[\\])}*!.:;,–—-]|\\(([^)]*))`, 'iu');
/** Matches a first sentence about the repository itself: "This project is no longer maintained." */
const SENTENCE = new RegExp(
  `^[^\\p{L}\\p{N}]*this (?:repository|repo|project|server|package|plugin|skill) (?:is|has been) (?:now )?(${WORDS})\\b`,
  'iu',
);
const MONTH = /\b(20\d\d-(?:0[1-9]|1[0-2]))\b/;

/** Reads from the first words of a description that a repository is no longer developed; null for any other text. */
export function statedStatus(description: string): StatedStatus | null {
  const found = LABEL.exec(description) ?? SENTENCE.exec(description);
  const status = STATUS_OF_WORD[(found?.[1] ?? '').toLowerCase().replace('-', ' ')];
  if (status === undefined) return null;
  return { status, since: MONTH.exec(found?.[2] ?? '')?.[1] ?? null };
}
