import { describe, expect, it } from 'vitest';
import { statedStatus } from './stated-status.ts';

describe('statedStatus', () => {
  // Real descriptions, the last three made up.
  it.each([
    ['📦 Archived (2026-04). Specify what you want built.', 'archived', '2026-04'],
    [
      '📦 Archived (repository archived on GitHub as of 2026-08; no further updates expected). Fork of an editor.',
      'archived',
      '2026-08',
    ],
    [
      '💤 Maintenance mode (last release Sep 2025; superseded by another framework). Framework.',
      'unmaintained',
      null,
    ],
    ['"DEPRECATED: This is now a vision-based workflow."', 'deprecated', null],
    ['[DEPRECATED] Use the official server.', 'deprecated', null],
    ['**No longer maintained** – see the successor.', 'unmaintained', null],
    ['⚠️ This repository has been archived. It served maps.', 'archived', null],
  ])('reads %s', (description, status, since) => {
    expect(statedStatus(description)).toEqual({ status, since });
  });

  it.each([
    'Search archived YouTube videos including deleted content.',
    'Archived web pages as Markdown.',
    'Deprecated redirect skill that routes legacy requests.',
    'Archives API: query documents.',
    'Terminal AI coding agent — successor to the archived opencode-ai/opencode.',
    'Community-driven fork, after Microsoft placed AutoGen in maintenance mode in Q1 2026.',
    'Unmaintained dependencies of a project, found in its lock file.',
    '',
  ])('does not take what a tool is about for its status: %s', (description) => {
    expect(statedStatus(description)).toBeNull();
  });
});
