import { Fact, Foreign, formatCount, Moment, OutsideLink } from '../../ui/text.tsx';
import type { ListingPage } from './listing-page-data.ts';

/** What the repository's host tells. */
export function RepositorySection({ page }: { page: ListingPage }) {
  const { figuresAt } = page.facts;
  const { stars, forks, openIssues, lastCommitAt, repositoryUrl, listedAt, updatedAt } = page.record;
  const hasFigures = [stars, forks, openIssues, lastCommitAt].some((figure) => figure !== null);
  return (
    <section class="card" aria-labelledby="repository">
      <h2 id="repository">Repository</h2>
      <p>
        <OutsideLink href={repositoryUrl}>{page.subject.repository}</OutsideLink>
      </p>
      {page.facts.homepage !== null && (
        <p>
          <OutsideLink href={page.facts.homepage}>{page.facts.homepage}</OutsideLink>
        </p>
      )}
      <dl>
        <Fact name="Stars">{stars === null ? null : formatCount(stars)}</Fact>
        <Fact name="Forks">{forks === null ? null : formatCount(forks)}</Fact>
        <Fact name="Open issues">{openIssues === null ? null : formatCount(openIssues)}</Fact>
        <Fact name="Last commit">
          {lastCommitAt === null ? null : <Moment at={lastCommitAt.toISOString()} />}
        </Fact>
        {figuresAt !== null && hasFigures && (
          <Fact name="Figures as of">
            <Moment at={figuresAt} />
          </Fact>
        )}
        <Fact name="Licence">
          {page.record.license === null ? null : <Foreign>{page.record.license}</Foreign>}
        </Fact>
        <Fact name="Listed">
          <Moment at={listedAt.toISOString()} />
        </Fact>
        <Fact name="Changed">
          <Moment at={updatedAt.toISOString()} />
        </Fact>
        <Fact name="Source">
          <Foreign>{page.subject.source}</Foreign>
        </Fact>
      </dl>
    </section>
  );
}
