import { SAME_FILE } from '../../directory/relations/relations.ts';
import { Foreign, formatCount, Moment } from '../../ui/text.tsx';
import { FamilyDrawing } from '../relations/family-drawing.tsx';
import { placeFamily } from '../relations/family-layout.ts';
import type { ShownGroup } from '../relations/page-relations.ts';
import { drawnRelations } from '../relations/relation-kin.ts';
import { RelationsList } from '../relations/relations-list.tsx';
import type { ArtifactPage } from './artifact-page-data.ts';

/** What is said of an artifact's file and files of others. Without its path nothing can be. */
export function OriginSection({ page }: { page: ArtifactPage }) {
  const { relations, path } = page;
  return (
    <section class="card" aria-labelledby="lineage">
      <h2 id="lineage">Origins</h2>
      {relations.length === 0 ? (
        <p>{path === null ? 'We do not know its file, so we cannot look for copies.' : 'No known copies.'}</p>
      ) : (
        <>
          {relations.map((group) => (
            <Copies key={`${group.kind} ${group.direction}`} group={group} />
          ))}
          <div class="wide-only">
            <Drawing page={page} />
          </div>
          <details open>
            <summary>As a list</summary>
            <RelationsList groups={relations} />
          </details>
        </>
      )}
    </section>
  );
}

/** How often the file is elsewhere, and who is the oldest to have it, where two ages at least are known. */
function Copies({ group: { kind, others, oldest, shown } }: { group: ShownGroup }) {
  if (kind !== SAME_FILE) return null;
  const [first] = shown;
  return (
    <p>
      An identical file is in{' '}
      {others === 1 ? '1 other repository' : `${formatCount(others)} other repositories`}.
      {oldest === 'own' && ' This is the oldest repository known to have it.'}
      {oldest === 'first' && first && (
        <>
          {' '}
          The oldest known to have it is <Foreign>{first.other.repository}</Foreign>, from{' '}
          <Moment at={first.other.createdAt ?? ''} />.
        </>
      )}
    </p>
  );
}

/** Each other file is a box of its own: there is one file here. */
function Drawing({ page: { subject, relations } }: { page: ArtifactPage }) {
  const { before, after, total } = drawnRelations(relations, subject.publicPath, new Set(), 'each');
  const self = { key: subject.id, name: subject.name, line: `this ${subject.type}` };
  const hidden = total.before + total.after - before.length - after.length;
  return (
    <>
      <FamilyDrawing
        drawing={placeFamily({ self, before, after })}
        title={`Origins and copies of ${subject.name}`}
      />
      {hidden > 0 && <p class="muted small">The list below has {formatCount(hidden)} more.</p>}
    </>
  );
}
