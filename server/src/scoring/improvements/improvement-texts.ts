import { formatDay } from '../../platform/text/display-formats.ts';
import type { SubjectType } from '../subject-type.ts';
import type { Improvement, ImprovementKind } from './find-improvements.ts';

const TEXTS: Readonly<
  Record<Exclude<ImprovementKind, 'claim' | 'describe' | 'state_license' | 'commit'>, string>
> = {
  prove_npm: 'Prove the npm account that publishes its package.',
  prove_pypi: 'Prove the PyPI account that publishes its package.',
  prove_network: 'Prove an account on a professional network.',
  acknowledgement: 'Ask the creator of its parent to acknowledge it.',
  close_issues: 'Close finished issues; halving the open count is enough.',
  unarchive: 'Unarchive it if you maintain it again.',
  link_profile: 'Link the profile and the account on the repository host to each other.',
};
const MISSING: Readonly<Record<string, string>> = {
  description: 'a description',
  tags: 'tags',
  homepage: 'a home page',
};
const inWords = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/**
 * Describes an action in the imperative, such as "Add tags to the repository; its entry here has none." Such a text
 * also says what this directory lacks, because the repository may have it already.
 */
export function improvementText(
  { way, missing = [], isUnknown, lastCommitAt }: Omit<Improvement, 'points'>,
  type: SubjectType,
): string {
  switch (way) {
    case 'claim':
      return type === 'creator'
        ? 'Claim it: prove the account on the repository host.'
        : 'Claim it: prove the account that owns the repository.';
    case 'describe':
      return `Add ${inWords.format(missing.map((text) => MISSING[text] ?? text))} to the repository; its entry here has none.`;
    case 'state_license':
      return isUnknown
        ? 'Add an open-source licence to the repository, unless it has one: none is known here.'
        : 'Add an open-source licence to the repository.';
    case 'commit':
      return lastCommitAt === undefined
        ? 'Push a commit.'
        : `Push a commit; the latest we know of is ${formatDay(lastCommitAt)}.`;
    default:
      return TEXTS[way];
  }
}
