import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { SUBJECT_STYLE_PATH } from '../../components/assets.ts';
import { ForeignText, formatCount } from '../../components/formatting.tsx';
import { Layout, renderDocument } from '../../components/layout.tsx';
import { VerdictShape } from '../../components/score-figures.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import { PAGE_SIZE, PageLinks } from '../list/page-links.tsx';
import { type FamilyLayout as Drawing, type DrawnEdge, type DrawnNode, NODE } from './family-layout.ts';
import { headingOf, type RelationsPage, relationsHref } from './linked-relations.ts';
import { RelationLine, relationKey } from './relations-list.tsx';

/** Renders the HTML document of one page of a subject's relations of one kind. */
export function relationsDocument(page: RelationsPage, publicUrls: PublicUrls): string {
  const { subject, kind, direction } = page;
  return renderDocument(
    <Layout
      title={`${headingOf(kind, direction)} · ${subject.name} · Trust Directory`}
      canonical={absoluteUrl(subject.publicPath, publicUrls)}
      style={SUBJECT_STYLE_PATH}
      unlisted
    >
      <RelationsView page={page} />
    </Layout>,
  );
}

function RelationsView({ page: { subject, kind, direction, offset, group } }: { page: RelationsPage }) {
  const list = relationsHref(subject.publicPath, { kind, direction });
  const addressOf = (start: number) => (start === 0 ? list : `${list}&page=${start / PAGE_SIZE + 1}`);
  return (
    <>
      <h1>
        <ForeignText>{headingOf(kind, direction)}</ForeignText>
        {group !== null && <span class="muted"> · {formatCount(group.others)}</span>}
      </h1>
      <p>
        Reported by sources about{' '}
        <a href={subject.publicPath}>
          <ForeignText>{subject.name}</ForeignText>
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

/** Draws relatives from left to right, as links in reading order. `title` describes the drawing to screen readers. */
export function FamilyDrawing({ drawing, title }: { drawing: Drawing; title: string }) {
  const { width, height, nodes, edges } = drawing;
  const lines = new Map(edges.map((edge) => [edge.farKey, edge]));
  return (
    <div class="scroll">
      <svg class="family" viewBox={`0 0 ${width} ${height}`} width={width}>
        <title>{title}</title>
        {edges.map(({ key, claimed, path }) => (
          <path key={key} class={claimed ? 'edge claimed' : 'edge'} d={path} />
        ))}
        {nodes.map((node) => (
          <Node key={node.key} node={node} edge={lines.get(node.key)} />
        ))}
      </svg>
    </div>
  );
}

/** Draws a box with the label of its line. The title of the box, for screen readers and on hover, states the relation. */
function Node({ node, edge }: { node: DrawnNode; edge: DrawnEdge | undefined }) {
  const { path, name, shownName, line, verdict, says, x, y } = node;
  const box = (
    <>
      <title>{says ?? name}</title>
      <rect
        class={says === null ? 'node self' : 'node'}
        x={x}
        y={y}
        width={NODE.width}
        height={NODE.height}
        rx="8"
      />
      <text class="name" x={x + 12} y={y + 20}>
        {shownName}
      </text>
      <text class="sub" x={x + 12} y={y + 37}>
        {line}
      </text>
      {edge && (
        <text class="equity" x={edge.labelX} y={edge.labelY} text-anchor={edge.anchor}>
          {edge.label}
        </text>
      )}
      {verdict !== null && (
        <svg
          class={`mark verdict ${verdict}`}
          x={x + NODE.width - 26}
          y={y + 8}
          width="15"
          height="15"
          viewBox="0 0 16 16"
          aria-hidden="true"
        >
          <VerdictShape state={verdict} />
        </svg>
      )}
    </>
  );
  if (path === null) return <g>{box}</g>;
  return <a href={path}>{box}</a>;
}
