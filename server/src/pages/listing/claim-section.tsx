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
        Not claimed by its owner. Prove that you own the account that holds the repository
        {points === undefined ? '' : `: this alone would add ${formatScore(points)} to trust`}.{' '}
        <a href="/method#unclaimed">How a claim changes the score</a>
      </p>
      <p>
        <a class="button primary" href={claimPath(repositoryUrl)}>
          Claim it
        </a>
      </p>
    </section>
  );
}
