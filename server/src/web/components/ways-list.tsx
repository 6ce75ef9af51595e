import type { Improvement, ImprovementKind } from '../../scoring/improvements/find-improvements.ts';
import { formatScore, Moment } from './formatting.tsx';

const TEXTS: Readonly<Record<Exclude<ImprovementKind, 'claim' | 'describe' | 'commit'>, string>> = {
  state_license: 'Add an open-source licence to the repository.',
  prove_npm: 'Prove the npm account that publishes its package.',
  prove_pypi: 'Prove the PyPI account that publishes its package.',
  prove_network: 'Prove an account on a professional network.',
  acknowledgement: 'Ask the creator of its parent to acknowledge it.',
  close_issues: 'Close finished issues; halving the open count is enough.',
  unarchive: 'Unarchive it if you maintain it again.',
};
const MISSING: Readonly<Record<string, string>> = {
  description: 'a description',
  tags: 'tags',
  homepage: 'a home page',
};
const inWords = new Intl.ListFormat('en-GB', { type: 'conjunction' });

interface WaysListProps {
  ways: readonly Improvement[];
  /** Path of the claim form, filled in. */
  claimHref: string;
  id?: string;
}

/** Lists what an owner can do to raise trust, with the points that each step alone adds. */
export function WaysList({ ways, claimHref, id }: WaysListProps) {
  return (
    <ol class="ways" id={id}>
      {ways.map((way) => (
        <li key={way.way}>
          <span>
            <WayText way={way} claimHref={claimHref} />
          </span>{' '}
          <b class="n">+{formatScore(way.points)}</b>
        </li>
      ))}
    </ol>
  );
}

function WayText({
  way: { way, missing = [], lastCommitAt },
  claimHref,
}: {
  way: Improvement;
  claimHref: string;
}) {
  if (way === 'claim') {
    return (
      <>
        <a href={claimHref}>Claim it</a>: prove the account that owns the repository.
      </>
    );
  }
  if (way === 'describe') {
    return <>Add {inWords.format(missing.map((text) => MISSING[text] ?? text))} to the repository.</>;
  }
  if (way === 'commit') {
    return (
      <>
        Push a commit
        {lastCommitAt !== undefined && (
          <>
            ; the latest we know of is <Moment at={lastCommitAt} />
          </>
        )}
        .
      </>
    );
  }
  return <>{TEXTS[way]}</>;
}
