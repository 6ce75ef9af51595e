import { Foreign, formatCount, Moment } from '../../ui/text.tsx';
import { listPlace } from '../score/sources.ts';
import type { ShownGroup, ShownRelation } from './page-relations.ts';
import { headingOf } from './relation-words.ts';

/** What sources say of a subject and others, by kind, with evidence, source and date. */
export function RelationsList({ groups }: { groups: readonly ShownGroup[] }) {
  return (
    <ul class="said">
      {groups.map((group) => (
        <li key={`${group.kind} ${group.direction}`}>
          <h3>
            <Foreign>{headingOf(group.kind, group.direction)}</Foreign>
          </h3>
          <ul class="tree">
            {group.shown.map((relation) => (
              <li key={relationKey(relation)}>
                <RelationLine relation={relation} />
              </li>
            ))}
          </ul>
          {group.all !== null && (
            <p class="small">
              <a href={group.all}>All {formatCount(group.others)}</a>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What tells the lines of a list apart. */
export function relationKey({ own, other }: ShownRelation): string {
  return `${own?.repository} ${other.repository} ${other.path}`;
}

/** One other end with what is known of the statement. */
export function RelationLine({ relation }: { relation: ShownRelation }) {
  const { other, path, files, since } = relation;
  const { name, repository } = other;
  const marks = [files > 1 && `${formatCount(files)} files`, other.id === null && 'not listed here'].filter(
    Boolean,
  );
  // What is said of each of many files is not the same.
  const evidence = files > 1 ? '' : (relation.evidence ?? '').trim();
  return (
    <>
      <Own relation={relation} />
      {path === null ? (
        <Foreign>{repository}</Foreign>
      ) : (
        <a href={path}>
          <Foreign>{other.isInside ? `${name} in ${repository}` : repository}</Foreign>
        </a>
      )}
      {marks.length > 0 && <span class="muted small"> {marks.join(', ')}</span>}
      {files === 1 && other.path !== null && (
        <code class="note">
          <Foreign>{other.path}</Foreign>
        </code>
      )}
      <span class="note">
        <Source relation={relation} />
        {since !== null && (
          <>
            , recorded <Moment at={since} />
          </>
        )}
        {other.createdAt !== null && (
          <>
            ; repository created <Moment at={other.createdAt} />
          </>
        )}
      </span>
      {evidence !== '' && (
        <p class="note clamp">
          <Foreign>“{evidence}”</Foreign>
        </p>
      )}
    </>
  );
}

/** On the page of a creator: which of their listings it is said of. */
function Own({ relation: { own, ownPath } }: { relation: ShownRelation }) {
  if (own === null) return null;
  const name = <Foreign>{own.repository}</Foreign>;
  return <>{ownPath === null ? name : <a href={ownPath}>{name}</a>}: </>;
}

function Source({ relation: { source, stated } }: { relation: ShownRelation }) {
  if (source === null) return <>seen by this directory</>;
  if (source === 'registration') return <>claimed at registration</>;
  const href = listPlace(source);
  return (
    <>
      {stated ? 'stated by ' : 'inferred from '}
      {href === null ? (
        <Foreign>{source}</Foreign>
      ) : (
        <a href={href} rel="nofollow noopener ugc">
          <Foreign>{source}</Foreign>
        </a>
      )}
    </>
  );
}
