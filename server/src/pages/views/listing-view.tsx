import type { ListingPage, Relative } from '../page-data.ts';
import { Heading } from './heading.tsx';
import { ScoreSection } from './score-section.tsx';
import { Foreign, formatCount, formatScore, Moment, OutsideLink } from './text.tsx';

/** The page of a listed agent or skill. */
export function ListingView({ page }: { page: ListingPage }) {
  const { record, creator, score, artifacts } = page;
  return (
    <>
      <Heading
        kind={`${record.agentId} · ${record.type} · ${record.category}`}
        name={record.name}
        description={record.description}
        score={score}
      >
        <p>
          By{' '}
          <a href={creator.path}>
            <Foreign>{creator.text}</Foreign>
          </a>{' '}
          <span class="chip">{record.verified ? 'verified' : 'not verified'}</span>
          {record.tags.map((tag) => (
            <span key={tag} class="chip tag">
              <Foreign>{tag}</Foreign>
            </span>
          ))}
        </p>
      </Heading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} />
          <LineageSection page={page} />
          {artifacts.length > 0 && <ArtifactsSection artifacts={artifacts} />}
        </div>
        <aside class="stack">
          <RepositorySection page={page} />
          <section class="card">
            <h2>Check it yourself</h2>
            <p>
              <a href={`/api/agents/${record.agentId}`}>The same record from the API</a>
            </p>
          </section>
        </aside>
      </div>
    </>
  );
}

function RepositorySection({ page }: { page: ListingPage }) {
  const { stars, forks, openIssues, lastCommitAt, repositoryUrl, listedAt } = page.record;
  return (
    <section class="card">
      <h2>Repository</h2>
      <p>
        <OutsideLink href={repositoryUrl}>{page.subject.repository}</OutsideLink>
      </p>
      {page.homepage !== null && (
        <p>
          <OutsideLink href={page.homepage}>{page.homepage}</OutsideLink>
        </p>
      )}
      <dl>
        <Fact name="Stars">{stars === null ? null : formatCount(stars)}</Fact>
        <Fact name="Forks">{forks === null ? null : formatCount(forks)}</Fact>
        <Fact name="Open issues">{openIssues === null ? null : formatCount(openIssues)}</Fact>
        <Fact name="Last commit">
          {lastCommitAt === null ? null : <Moment at={lastCommitAt.toISOString()} />}
        </Fact>
        <Fact name="Licence">{page.license === null ? null : <Foreign>{page.license}</Foreign>}</Fact>
        <Fact name="Listed">
          <Moment at={listedAt.toISOString()} />
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children ?? <span class="muted">not known</span>}</dd>
    </>
  );
}

function LineageSection({ page }: { page: ListingPage }) {
  const { ancestors, descendants, own, moreDescendants } = page;
  return (
    <section class="card" aria-labelledby="lineage">
      <h2 id="lineage">Lineage</h2>
      {ancestors.length === 0 && descendants.length === 0 && (
        <p>Nothing known before it, nothing known after it.</p>
      )}
      {ancestors.length > 0 && (
        <>
          <h3>Comes from, nearest first</h3>
          <ol>
            {ancestors.map((relative, index) => (
              <RelativeItem
                key={relative.link.path}
                relative={relative}
                edge={ancestors[index - 1]?.entry ?? own}
              />
            ))}
          </ol>
        </>
      )}
      {descendants.length > 0 && (
        <>
          <h3>What derives from it</h3>
          <ul>
            {descendants.map((relative) => (
              <RelativeItem key={relative.link.path} relative={relative} edge={relative.entry} />
            ))}
          </ul>
          {moreDescendants && <p class="small">More of them are in the API.</p>}
        </>
      )}
      <p class="muted small">
        The figure is the trust passed on from parent to child. A claimed edge is not acknowledged by the
        parent, and no edge is an endorsement.
      </p>
    </section>
  );
}

/** `edge` is the one between the relative and its neighbour towards this page's subject. */
function RelativeItem({ relative, edge }: { relative: Relative; edge: Relative['entry'] }) {
  return (
    <li>
      <a href={relative.link.path}>
        <Foreign>{relative.link.text}</Foreign>
      </a>{' '}
      <span class="muted small">
        {(edge.relation ?? '').replaceAll('_', ' ')}, {edge.acknowledged ? 'acknowledged' : 'claimed'}, passes
        on {formatScore(edge.trustEquityFlow)}
      </span>
    </li>
  );
}

function ArtifactsSection({ artifacts }: { artifacts: ListingPage['artifacts'] }) {
  return (
    <section class="card" aria-labelledby="inside">
      <h2 id="inside">Inside this repository</h2>
      <ul>
        {artifacts.map((artifact) => (
          <li key={artifact.path}>
            <a href={artifact.path}>
              <Foreign>{artifact.text}</Foreign>
            </a>{' '}
            <span class="muted small">
              <Foreign>{artifact.description}</Foreign>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
