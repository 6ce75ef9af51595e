import { expect, it } from 'vitest';
import { WaysList } from './owner-steps.tsx';
import { renderMarkup } from './send-html.ts';

it('suggests a commit, with the date of the latest known one', () => {
  const ways = [{ way: 'commit', points: 2.5, lastCommitAt: '2026-08-20T06:00:00Z' }] as const;

  const markup = renderMarkup(WaysList({ ways, type: 'agent', claimHref: '/claim' }));

  expect(markup.replaceAll(/<[^>]*>/g, '')).toBe('Push a commit; the latest we know of is 20 Aug 2026. +2.5');
});
