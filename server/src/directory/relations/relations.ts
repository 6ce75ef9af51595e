import type { Connection } from '../../platform/database/connect.ts';
import type { ReasonCode } from '../../scoring/verdict/reasons.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import { SHOWN_OTHERS } from './relations.fragment.ts';
import {
  type FirstSeen,
  findCreatorRelations,
  findFileRelations,
  findListingRelations,
  type ListingRelationRow,
  type RelationRow,
  type RelationSelection,
} from './relations.queries.ts';

/** The other end of a relation: a listing, an artifact inside one, or only a name. */
interface RelatedSubject {
  /** Subject with a page; null if not listed. */
  id: string | null;
  /** `AGT-` id of the listing, also for an artifact inside it. */
  agentId: string | null;
  type: 'agent' | 'skill' | null;
  name: string;
  repository: string;
  path: string | null;
  /** True if the other end is an artifact inside the listing that has its own page. */
  isInside: boolean;
  trust: number | null;
  confidence: number | null;
  verdict: VerdictState | null;
  /** Reasons of the verdict; null without one. */
  reasons: readonly ReasonCode[] | null;
  /** Creation date of the subject's repository; null if unknown or not read. */
  createdAt: string | null;
}

/** A relation between the subject of a request and one other subject. */
export interface Relation {
  /** The creator's listing that the relation is about; null if the subject is a listing or inside one. */
  own: { id: string; type: 'agent' | 'skill'; repository: string } | null;
  other: RelatedSubject;
  /** Number of files that the relation concerns; 0 for the whole repository. */
  files: number;
  /** True if a source states the relation; false if the relation is inferred. */
  stated: boolean;
  evidence: string | null;
  /** Null if this directory itself has observed the relation. */
  source: string | null;
  /** Time when the directory first stored the relation; null if unknown. */
  since: string | null;
}

/** Relations of one kind and direction: `out` from the subject, `in` to it, `both` if undirected. */
export interface RelationGroup {
  kind: string;
  direction: 'out' | 'in' | 'both';
  /** Number of other repositories (`others`) and of the subject's files (`files`) in the rows that were read. */
  others: number;
  files: number;
  /** True if the relations concern files of the subject, not the whole repository. */
  ofFiles: boolean;
  /**
   * Oldest repository: `own` is that of the subject, `first` the first of `shown`. Null if fewer than two dates are
   * known.
   */
  oldest: 'own' | 'first' | null;
  shown: Relation[];
}

/** Relations of a listing, and where its files first appeared. */
export interface ListingRelations {
  groups: RelationGroup[];
  firstSeen: FirstSeen[];
  /**
   * Number of skills listed inside the repository, and how many of them also exist elsewhere. Both are 0 if none of the
   * listing's files exists elsewhere.
   */
  skills: number;
  copiedSkills: number;
}

const FIRST = { kind: null, direction: null, most: SHOWN_OTHERS, skip: 0 };

/** Loads the relations of a listing, or a selection of them, in one statement. */
export async function loadListingGroups(
  connection: Connection,
  listingId: string,
  asked: RelationSelection,
): Promise<RelationGroup[]> {
  return toRelationGroups(await findListingRelations(connection, listingId, asked));
}

/** Converts the rows that `relationsWithFirstSeen` selects. Statements of other modules embed that SQL. */
export function toListingRelations(rows: readonly ListingRelationRow[]): ListingRelations {
  const seen = rows.find(({ firstSeen }) => firstSeen !== null)?.firstSeen;
  const { repositories: firstSeen = [], skills = 0, copiedSkills = 0 } = seen ?? {};
  return { groups: toRelationGroups(rows), firstSeen, skills, copiedSkills };
}

/** Kind of the relation between byte-identical files. */
export const SAME_FILE = 'identical_skill_file';

/** Loads the relations of one file of a listing in one statement. A path may be a skill's folder or its file. */
export async function loadFileRelations(
  connection: Connection,
  listingId: string,
  path: string | null,
  asked: RelationSelection = FIRST,
): Promise<RelationGroup[]> {
  if (path === null) return [];
  return toRelationGroups(await findFileRelations(connection, listingId, spellingsOf(path), asked));
}

/** Loads the relations between a creator's listings and others, or a selection of them, in one statement. */
export async function loadCreatorRelations(
  connection: Connection,
  creatorId: string,
  asked: RelationSelection = FIRST,
): Promise<RelationGroup[]> {
  return toRelationGroups(await findCreatorRelations(connection, creatorId, asked));
}

/** Returns the equivalent paths of a skill: its folder and the file inside. */
export function spellingsOf(path: string): string[] {
  const folder = path.replace(/\/*$/, '').replace(/(^|\/)skill\.md$/i, '');
  const files = ['SKILL.md', 'skill.md'].map((file) => (folder === '' ? file : `${folder}/${file}`));
  return [...new Set([path, folder, ...files])].filter((spelling) => spelling !== '');
}

/** Converts the rows of a selection, which are in order of kind and direction. */
export function toRelationGroups(rows: readonly RelationRow[]): RelationGroup[] {
  const groups: RelationGroup[] = [];
  for (const row of rows) {
    const { kind, direction, others, allFiles: files, ofFiles } = row;
    let group = groups.at(-1);
    if (group?.kind !== kind || group.direction !== direction) {
      group = { kind, direction, others, files, ofFiles, oldest: oldestOf(row), shown: [] };
      groups.push(group);
    }
    group.shown.push(toRelation(row));
  }
  return groups;
}

/** Returns the oldest repository. `row` is the first of its group; known dates sort first. */
function oldestOf({
  createdAt = null,
  ownCreatedAt = null,
  dated = 0,
}: RelationRow): RelationGroup['oldest'] {
  if (createdAt === null || dated + (ownCreatedAt === null ? 0 : 1) < 2) return null;
  return ownCreatedAt !== null && ownCreatedAt < createdAt ? 'own' : 'first';
}

function toRelation(row: RelationRow): Relation {
  const { files, stated, evidence, source, since } = row;
  const { otherId, agentId, repository, path, trust, confidence, verdict, reasons } = row;
  const { artifactId = null, artifactName = null, artifactType = null, createdAt = null } = row;
  const other: RelatedSubject = {
    id: artifactId ?? otherId,
    agentId,
    type: artifactType ?? row.type,
    name: artifactName ?? row.name ?? repository,
    repository,
    path,
    isInside: artifactId !== null,
    trust,
    confidence,
    verdict,
    reasons,
    createdAt,
  };
  const { ownId, ownType, ownRepository } = row;
  const own =
    ownId && ownType && ownRepository ? { id: ownId, type: ownType, repository: ownRepository } : null;
  return { own, other, files, stated, evidence, source, since };
}
