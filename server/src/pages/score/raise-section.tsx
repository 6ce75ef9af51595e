import { waysOfScore } from '../../scoring/raise/ways-of-score.ts';
import type { Raisable, WayToRaise } from '../../scoring/raise/ways-to-raise.ts';
import { WaysList } from '../../ui/ways-list.tsx';
import type { ScoreDetail } from './score-detail.ts';

/** Where the banner's link leads. */
export const RAISE = 'raise';

/** What would raise the score that a page shows. */
export function waysOf(
  score: ScoreDetail | null,
  { type, isPart, npmPackage, pypiPackage }: Omit<Raisable, 'facts' | 'now'>,
): WayToRaise[] {
  if (score === null) return [];
  const scoredAt = new Date(score.version);
  return waysOfScore({ ...score, type, isPart, npmPackage, pypiPackage, scoredAt });
}

/** For its owner, folded: everybody else comes for what is, and not for what could be. */
export function RaiseSection({ ways, claimHref }: { ways: readonly WayToRaise[]; claimHref: string }) {
  if (ways.length === 0) return null;
  return (
    <section class="card" aria-labelledby="raising">
      <h2 id="raising">For the owner</h2>
      <details>
        <summary>What would raise the score</summary>
        <p class="small">
          Easiest first. Each figure is what this step alone would add to trust,{' '}
          <a href="/method">by the same method</a>.
        </p>
        <WaysList ways={ways} claimHref={claimHref} id={RAISE} />
      </details>
    </section>
  );
}
