import { listUrl } from '../../../directory/explanations/signal-sources.ts';
import { SAME_FILE } from '../../../directory/relations/relations.ts';
import { ForeignText, formatCount, Moment } from '../../components/formatting.tsx';
import type { PageRelations, ShownGroup, ShownRelation } from './linked-relations.ts';
import { headingOf } from './linked-relations.ts';

/** Shows relations by kind, with evidence, source and date. */
export function RelationsList({ groups }: { groups: readonly ShownGroup[] }) {
  return (
    <ul class="said">
      {groups.map((group) => (
        <li key={`${group.kind} ${group.direction}`}>
          <h3>
            <ForeignText>{headingOf(group.kind, group.direction)}</ForeignText>
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

/** Returns a unique key of a relation within a list. */
export function relationKey({ own, other }: ShownRelation): string {
  return `${own?.repository} ${other.repository} ${other.path}`;
}

/** Shows a related subject with the age of its repository, and the relation's evidence, source and date. */
export function RelationLine({ relation }: { relation: ShownRelation }) {
  const { other, path, files, since } = relation;
  const { name, repository } = other;
  const marks = [files > 1 && `${formatCount(files)} files`, other.id === null && 'not listed here'].filter(
    Boolean,
  );
  // If the relation covers several files, each file has evidence of its own, so show none here.
  const evidence = files > 1 ? '' : (relation.evidence ?? '').trim();
  return (
    <>
      <Own relation={relation} />
      {path === null ? (
        <ForeignText>{repository}</ForeignText>
      ) : (
        <a href={path}>
          <ForeignText>{other.isInside ? `${name} in ${repository}` : repository}</ForeignText>
        </a>
      )}
      {marks.length > 0 && <span class="muted small"> {marks.join(', ')}</span>}
      {files === 1 && other.path !== null && (
        <code class="note">
          <ForeignText>{other.path}</ForeignText>
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
          <ForeignText>“{evidence}”</ForeignText>
        </p>
      )}
    </>
  );
}

/** Names the creator's listing that the relation is about; shows nothing on the page of a listing. */
function Own({ relation: { own, ownPath } }: { relation: ShownRelation }) {
  if (own === null) return null;
  const name = <ForeignText>{own.repository}</ForeignText>;
  return <>{ownPath === null ? name : <a href={ownPath}>{name}</a>}: </>;
}

function Source({ relation: { source, stated } }: { relation: ShownRelation }) {
  if (source === null) return <>known to this directory</>;
  if (source === 'registration') return <>claimed at registration</>;
  const href = listUrl(source);
  return (
    <>
      {stated ? 'stated by ' : 'inferred from '}
      {href === null ? (
        <ForeignText>{source}</ForeignText>
      ) : (
        <a href={href} rel="nofollow noopener ugc">
          <ForeignText>{source}</ForeignText>
        </a>
      )}
    </>
  );
}

/** Summarises how many of the listing's files also exist elsewhere, and names the oldest repositories that have them. */
export function CopySummary({ relations, own }: { relations: PageRelations; own: string }) {
  const group = relations.groups.find(({ kind, ofFiles }) => kind === SAME_FILE && ofFiles);
  if (!group) return null;
  const elsewhere = relations.firstSeen.filter(({ id }) => id !== own);
  const here = relations.firstSeen.find(({ id }) => id === own);
  return (
    <p>
      {sayHowMany(relations, group.files)} identical to files in {sayRepositories(group.others)}.
      {elsewhere.map(({ id, path, repository, files, createdAt }) => (
        <>
          {' '}
          <span key={id}>
            The oldest repository known to have {formatCount(files)} of them is{' '}
            <a href={path}>
              <ForeignText>{repository}</ForeignText>
            </a>
            , from <Moment at={createdAt} />.
          </span>
        </>
      ))}
      {here && ` This is the oldest repository known to have ${formatCount(here.files)} of them.`}
    </p>
  );
}

function sayHowMany({ skills, copiedSkills }: PageRelations, files: number): string {
  if (copiedSkills === 0) return `${plural(files, 'file')} of it ${files === 1 ? 'is' : 'are'}`;
  const listed = `${formatCount(copiedSkills)} of its ${plural(skills, 'listed skill')}`;
  const further = files - copiedSkills;
  if (further <= 0) return `${listed} ${copiedSkills === 1 ? 'is' : 'are'}`;
  return `${listed} and ${plural(further, 'other file')} of it are`;
}

function sayRepositories(others: number): string {
  return others === 1 ? '1 other repository' : `${formatCount(others)} other repositories`;
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
