import type { WayToRaise } from '../../scoring/raise/ways-to-raise.ts';
import { formatScore } from '../../ui/text.tsx';

/** Whom a listing belongs to is not proved: what its owner can do, and what it brings. */
export function ClaimSection({ ways }: { ways: readonly WayToRaise[] }) {
  const points = ways.find(({ way }) => way === 'claim')?.points;
  return (
    <section class="card claim" aria-labelledby="claim">
      <h2 id="claim">Is it yours?</h2>
      <p class="small">
        Not claimed by its owner. Prove the account that holds the repository, and what only its owner can
        show counts{points !== undefined && `: trust +${formatScore(points)} for the claim alone`}.{' '}
        <a href="/method#unclaimed">What that does to the score</a>
      </p>
      <p>
        <a class="button primary" href="/console/accounts">
          Claim it
        </a>
      </p>
    </section>
  );
}
