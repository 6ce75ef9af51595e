import {
  type ImprovableScore,
  type Improvement,
  improvementsOfScore,
} from '../../../scoring/improvements/find-improvements.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import { formatScore } from '../../components/formatting.tsx';
import { claimPath, WaysList, type WaysListProps } from '../../components/owner-steps.tsx';
import type { ScoreDetail } from './score-detail.queries.ts';

/** Anchor of the section, for the link in the verdict banner. */
export const RAISE_ANCHOR = 'raise';

/** Returns the ways to raise a page's score. The pages of creators and accounts omit `isPart` and the packages. */
export function waysOf(
  score: ScoreDetail | null,
  {
    type,
    isPart = false,
    npmPackage = null,
    pypiPackage = null,
  }: Partial<Pick<ImprovableScore, 'isPart' | 'npmPackage' | 'pypiPackage'>> & { type: SubjectType },
): Improvement[] {
  if (score === null) return [];
  const [scoredAt, readAt] = [new Date(score.version), new Date(score.readAt)];
  return improvementsOfScore({ ...score, type, isPart, npmPackage, pypiPackage, scoredAt, readAt });
}

/** Shows the owner what would raise the score. The section is folded, because other visitors do not need it. */
export function RaiseSection({ ways, type, claimHref }: Omit<WaysListProps, 'id'>) {
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
        <WaysList ways={ways} type={type} claimHref={claimHref} id={RAISE_ANCHOR} />
      </details>
    </section>
  );
}

interface ClaimSectionProps {
  ways: readonly Improvement[];
  repositoryUrl: string;
}

/** Invites the owner of an unclaimed listing to claim it, and states how much trust the claim would add. */
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
