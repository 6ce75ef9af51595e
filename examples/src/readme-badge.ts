import type { SubjectRecord } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { svg } from './svg.ts';

const COLOURS: Record<string, string> = { high: '#2b7a3d', medium: '#8a6100' };
const NEUTRAL = '#555';

/**
 * Prints a badge of the subject (first argument) for a README. Let a scheduled job write it into a file of the
 * repository: readers then load the picture from you, and the directory does not see them.
 */
export const readmeBadge: Example = async (client, print, subject = '') => {
  print(badge(await client.subjects.lookup(subject)));
};

/** Draws a badge with both trust and confidence, because one without the other says little. */
export function badge({ trustScore, confidence, tier }: SubjectRecord): string {
  const text =
    trustScore === null || confidence === null
      ? 'not scored yet'
      : `${trustScore.toFixed(0)} of 100, confidence ${confidence.toFixed(0)}`;
  const colour = trustScore === null ? NEUTRAL : (COLOURS[tier] ?? NEUTRAL);
  const label = 44;
  const width = label + 16 + text.length * 6.2;
  const shapes = `<rect width="${label}" height="20" fill="#333"/><rect x="${label}" width="${width - label}" height="20" fill="${colour}"/><g fill="#fff"><text x="8" y="14">trust</text><text x="${label + 8}" y="14">${text}</text></g>`;
  return svg(Math.ceil(width), 20, `trust: ${text}`, shapes);
}
