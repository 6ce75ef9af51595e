import type { ImprovableScore, Improvement } from '../../../scoring/improvements/find-improvements.ts';
import { improvementsOfScore } from '../../../scoring/improvements/find-improvements.ts';
import { WaysList } from '../../components/ways-list.tsx';
import type { ScoreDetail } from './score-detail.queries.ts';

/** Anchor that the banner links to. */
export const RAISE_ANCHOR = 'raise';

/** Returns the ways to raise a page's score. */
export function waysOf(
  score: ScoreDetail | null,
  { type, isPart, npmPackage, pypiPackage }: Omit<ImprovableScore, 'facts' | 'now'>,
): Improvement[] {
  if (score === null) return [];
  const scoredAt = new Date(score.version);
  return improvementsOfScore({ ...score, type, isPart, npmPackage, pypiPackage, scoredAt });
}

/** Shows the owner what would raise the score; folded, because other visitors do not need it. */
export function RaiseSection({ ways, claimHref }: { ways: readonly Improvement[]; claimHref: string }) {
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
        <WaysList ways={ways} claimHref={claimHref} id={RAISE_ANCHOR} />
      </details>
    </section>
  );
}
