import type { Naming } from '../../subjects/naming.ts';
import { SUBJECT_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { Foreign, formatCount } from '../../ui/text.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import { PageLinks } from '../list/page-links.tsx';
import { PAGE_SIZE } from '../list/page-query.ts';
import type { RelationsPage } from './load-relations-page.ts';
import { allOf } from './page-relations.ts';
import { headingOf } from './relation-words.ts';
import { RelationLine, relationKey } from './relations-list.tsx';

/** All others of which one thing is said, by pages. */
export function relationsDocument(page: RelationsPage, naming: Naming): string {
  const { subject, kind, direction } = page;
  return toDocument(
    <Layout
      title={`${headingOf(kind, direction)} · ${subject.name} · Trust Directory`}
      canonical={absoluteAddress(subject.publicPath, naming)}
      style={SUBJECT_STYLE_PATH}
      unlisted
    >
      <RelationsView page={page} />
    </Layout>,
  );
}

function RelationsView({ page: { subject, kind, direction, offset, group } }: { page: RelationsPage }) {
  const list = allOf(subject.publicPath, { kind, direction });
  const addressOf = (start: number) => (start === 0 ? list : `${list}&page=${start / PAGE_SIZE + 1}`);
  return (
    <>
      <h1>
        <Foreign>{headingOf(kind, direction)}</Foreign>
        {group !== null && <span class="muted"> · {formatCount(group.others)}</span>}
      </h1>
      <p>
        Reported by sources about{' '}
        <a href={subject.publicPath}>
          <Foreign>{subject.name}</Foreign>
        </a>
        .
      </p>
      <section class="card" aria-label="Relations">
        {group === null ? (
          <p>
            <a href={list}>There are no more entries. Go to the first page</a>
          </p>
        ) : (
          <ol class="tree">
            {group.shown.map((relation) => (
              <li key={relationKey(relation)}>
                <RelationLine relation={relation} />
              </li>
            ))}
          </ol>
        )}
        <PageLinks
          offset={offset}
          shown={group?.shown.length ?? 0}
          total={group?.others ?? 0}
          addressOf={addressOf}
        />
      </section>
    </>
  );
}
