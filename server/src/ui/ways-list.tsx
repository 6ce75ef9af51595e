import type { Way, WayToRaise } from '../scoring/raise/ways-to-raise.ts';
import { formatScore, Moment } from './text.tsx';

const TEXTS: Readonly<Record<Exclude<Way, 'claim' | 'describe' | 'commit'>, string>> = {
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
  ways: readonly WayToRaise[];
  /** The form that claims it, filled in. */
  claimHref: string;
  id?: string;
}

/** What an owner can do for more trust, with the points that each alone would bring. */
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
  way: WayToRaise;
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
