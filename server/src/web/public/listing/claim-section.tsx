import type { Improvement } from '../../../scoring/improvements/find-improvements.ts';
import { claimPath } from '../../components/claim-path.ts';
import { formatScore } from '../../components/formatting.tsx';

interface ClaimSectionProps {
  ways: readonly Improvement[];
  repositoryUrl: string;
}

/** Invites the owner of an unclaimed listing to claim it, with the gain in trust. */
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
