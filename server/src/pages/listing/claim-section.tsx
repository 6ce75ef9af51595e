import type { WayToRaise } from '../../scoring/raise/ways-to-raise.ts';
import { claimPath } from '../../ui/claim-path.ts';
import { formatScore } from '../../ui/text.tsx';

interface ClaimSectionProps {
  ways: readonly WayToRaise[];
  repositoryUrl: string;
}

/** Whom a listing belongs to is not proved: what its owner can do, and what it brings. */
export function ClaimSection({ ways, repositoryUrl }: ClaimSectionProps) {
  const points = ways.find(({ way }) => way === 'claim')?.points;
  return (
    <section class="card claim" aria-labelledby="claim">
      <h2 id="claim">Is it yours?</h2>
      <p class="small">
        Not claimed by its owner. Prove that the account with the repository is yours
        {points === undefined ? '' : `: that alone brings trust +${formatScore(points)}`}.{' '}
        <a href="/method#unclaimed">What a claim does to the score</a>
      </p>
      <p>
        <a class="button primary" href={claimPath(repositoryUrl)}>
          Claim it
        </a>
      </p>
    </section>
  );
}
