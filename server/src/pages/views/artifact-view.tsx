import type { ArtifactPage } from '../page-data.ts';
import { Heading } from './heading.tsx';
import { ScoreSection } from './score-section.tsx';
import { Foreign, OutsideLink } from './text.tsx';

/** The page of an agent or skill inside a listed repository. */
export function ArtifactView({ page }: { page: ArtifactPage }) {
  const { subject, home, creator, score } = page;
  return (
    <>
      <Heading
        kind={`${subject.type} in a repository`}
        name={subject.name}
        description={page.description}
        score={score}
      >
        <p>
          Inside{' '}
          <a href={home.path}>
            <Foreign>{home.text}</Foreign>
          </a>{' '}
          by{' '}
          <a href={creator.path}>
            <Foreign>{creator.text}</Foreign>
          </a>
        </p>
      </Heading>
      <div class="grid">
        <div class="stack">
          <ScoreSection score={score} />
        </div>
        <aside class="stack">
          <section class="card">
            <h2>Repository</h2>
            <p>
              <OutsideLink href={page.repositoryUrl}>{subject.repository}</OutsideLink>
            </p>
            {page.path !== null && (
              <p class="small">
                <Foreign>{page.path}</Foreign>
              </p>
            )}
            <dl>
              <dt>Canonical id</dt>
              <dd>
                <code>{subject.id}</code>
              </dd>
            </dl>
          </section>
        </aside>
      </div>
    </>
  );
}
