import type { Improvement } from '../../scoring/improvements/find-improvements.ts';
import { improvementText } from '../../scoring/improvements/improvement-texts.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { formatScore, Moment } from './formatting.tsx';

export interface WaysListProps {
  ways: readonly Improvement[];
  /** Type of the subject whose score the steps raise. */
  type: SubjectType;
  /** Path of the claim form, filled in. */
  claimHref: string;
  id?: string;
}

/** Lists what an owner can do to raise a subject's trust score, with the points that each step would add by itself. */
export function WaysList({ ways, type, claimHref, id }: WaysListProps) {
  return (
    <ol class="ways" id={id}>
      {ways.map((way) => (
        <li key={way.way}>
          <span>
            <WayText way={way} type={type} claimHref={claimHref} />
          </span>{' '}
          <b class="n">+{formatScore(way.points)}</b>
        </li>
      ))}
    </ol>
  );
}

type WayTextProps = Pick<WaysListProps, 'type' | 'claimHref'> & { way: Improvement };

function WayText({ way, type, claimHref }: WayTextProps) {
  const text = improvementText(way, type);
  if (way.way === 'claim') {
    const [invitation = '', explanation = ''] = text.split(/(?<=^Claim it)/);
    return (
      <>
        <a href={claimHref}>{invitation}</a>
        {explanation}
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
  return <>{text}</>;
}

/** An account on another site, whose ownership can be proved. */
export interface ClaimedAccount {
  host: string;
  handle: string;
}

/** Path of the form that starts the proof of an account. */
const FORM = '/console/accounts';

/**
 * Returns the path of the proof form, filled in with an account. `listingId` is the listing that the owner wants to
 * claim with the proof; null for none.
 */
export function accountClaimPath({ host, handle }: ClaimedAccount, listingId: string | null = null): string {
  const filled = new URLSearchParams({ host, handle, ...(listingId !== null && { for: listingId }) });
  return `${FORM}?${filled}`;
}

/**
 * Returns the path of the proof form, filled in with the account that owns a repository; the form stays empty if the
 * URL names no account.
 */
export function claimPath(repositoryUrl: string, listingId: string | null = null): string {
  const owner = ownerOf(repositoryUrl);
  return owner === null ? FORM : accountClaimPath(owner, listingId);
}

/** Returns the account that owns a repository, from its URL; null if the URL names none. */
export function ownerOf(repositoryUrl: string): ClaimedAccount | null {
  const url = URL.parse(repositoryUrl);
  const [, handle = ''] = url?.pathname.split('/') ?? [];
  return url && handle !== '' ? { host: url.hostname, handle: decodeURIComponent(handle) } : null;
}
