import { ExternalLink, Fact, ForeignText, formatCount, Moment } from '../../components/formatting.tsx';
import type { ListingPage } from './listing.page.tsx';

/** Shows the facts that the repository's host reports. */
export function RepositorySection({ page }: { page: ListingPage }) {
  const { figuresAt } = page.facts;
  const { stars, forks, openIssues, lastCommitAt, repositoryUrl, listedAt, updatedAt } = page.record;
  const hasFigures = [stars, forks, openIssues, lastCommitAt].some((figure) => figure !== null);
  return (
    <section class="card" aria-labelledby="repository">
      <h2 id="repository">Repository</h2>
      <p>
        <ExternalLink href={repositoryUrl}>{page.subject.repository}</ExternalLink>
      </p>
      {page.facts.homepage !== null && (
        <p>
          <ExternalLink href={page.facts.homepage}>{page.facts.homepage}</ExternalLink>
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
          {page.record.license === null ? null : <ForeignText>{page.record.license}</ForeignText>}
        </Fact>
        <Fact name="Listed">
          <Moment at={listedAt.toISOString()} />
        </Fact>
        <Fact name="Changed">
          <Moment at={updatedAt.toISOString()} />
        </Fact>
        <Fact name="Source">
          <ForeignText>{page.subject.source}</ForeignText>
        </Fact>
      </dl>
    </section>
  );
}

/**
 * Links the page of an old name to the newest name. On the page of the newest name, tells visitors who came by an old
 * name that the repository was renamed.
 */
export function RenameNotice({ page: { newest, requestedName, subject } }: { page: ListingPage }) {
  if (newest !== null) {
    return (
      <p class="notice">
        {newest.stated ? 'This repository is now called ' : 'This is very likely an old name of '}
        <a href={newest.path}>
          <ForeignText>{newest.text}</ForeignText>
        </a>
        .
      </p>
    );
  }
  if (requestedName === undefined) return null;
  return (
    <p class="notice">
      <ForeignText>{requestedName}</ForeignText> is now called <ForeignText>{subject.repository}</ForeignText>
      .
    </p>
  );
}
