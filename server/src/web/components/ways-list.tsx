import type { Improvement } from '../../scoring/improvements/find-improvements.ts';
import { improvementText } from '../../scoring/improvements/improvement-texts.ts';
import { formatScore, Moment } from './formatting.tsx';

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

function WayText({ way, claimHref }: { way: Improvement; claimHref: string }) {
  if (way.way === 'claim') {
    return (
      <>
        <a href={claimHref}>Claim it</a>: prove the account that owns the repository.
      </>
    );
  }
  const { lastCommitAt } = way;
  if (way.way === 'commit' && lastCommitAt !== undefined) {
    return (
      <>
        Push a commit; the latest we know of is <Moment at={lastCommitAt} />.
      </>
    );
  }
  return <>{improvementText(way, 'skill')}</>;
}
