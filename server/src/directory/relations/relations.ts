import type { Connection } from '../../database/connect.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import {
  type AskedRelations,
  findCreatorRelations,
  findFileRelations,
  findFirstSeen,
  findListingRelations,
  type RelationRow,
} from './relations.repository.ts';

/** The other end of a relation: a listing, something inside one, or only a name. */
interface RelatedSubject {
  /** The subject whose page it has; null where it is not listed. */
  id: string | null;
  /** `AGT-` id of the listing, also where the subject is inside it. */
  agentId: string | null;
  type: 'agent' | 'skill' | null;
  name: string;
  repository: string;
  path: string | null;
  /** It is inside that listing, and has a page of its own. */
  isInside: boolean;
  trust: number | null;
  confidence: number | null;
  verdict: VerdictState | null;
  /** When its repository was made; null where that is not known or was not read. */
  createdAt: string | null;
}

/** What is said of the subject and one other. */
export interface Relation {
  /** Which of a creator's listings it is said of; null where the subject is a listing or inside one. */
  own: { id: string; type: 'agent' | 'skill'; repository: string } | null;
  other: RelatedSubject;
  /** Files that it is said of; 0 where it is of the whole repository. */
  files: number;
  /** A source says it; false where it was inferred. */
  stated: boolean;
  evidence: string | null;
  /** Null for what this directory observed itself. */
  source: string | null;
  /** When the directory first had it. */
  since: string | null;
}

/** All that is said of one kind and direction: `out` from the subject, `in` of it, `both` where it has no direction. */
export interface RelationGroup {
  kind: string;
  direction: 'out' | 'in' | 'both';
  /** Other repositories, and files of this one; neither counts beyond what is read. */
  others: number;
  files: number;
  /** It is said of files of this subject, not of the whole. */
  ofFiles: boolean;
  /** Which is the oldest repository, the subject's own or the first shown; null where fewer than two ages are known. */
  oldest: 'own' | 'first' | null;
  shown: Relation[];
}

/** A repository that is the oldest known one to have so many of the subject's files. */
export interface FirstSeen {
  id: string;
  type: 'agent' | 'skill';
  repository: string;
  files: number;
  createdAt: string;
}

/** What is said of a listing, and where its files were seen first. */
export interface ListingRelations {
  groups: RelationGroup[];
  firstSeen: FirstSeen[];
  /** Skills listed inside it, and how many of them are also elsewhere; 0 where no file of it is. */
  skills: number;
  copiedSkills: number;
}

/** Others shown of each group. */
const SHOWN_OTHERS = 5;
const FIRST = { kind: null, direction: null, most: SHOWN_OTHERS, skip: 0 };

/** Everything that is said of a listing, or what is asked for of it, in one statement. */
export async function loadListingGroups(
  connection: Connection,
  listingId: string,
  asked: AskedRelations,
): Promise<RelationGroup[]> {
  return toGroups(await findListingRelations(connection, listingId, asked));
}

/** The same with what was first: one statement, and one more where files of it are elsewhere. */
export async function loadListingRelations(
  connection: Connection,
  listingId: string,
): Promise<ListingRelations> {
  const groups = await loadListingGroups(connection, listingId, FIRST);
  const hasCopies = groups.some(({ kind, ofFiles }) => kind === SAME_FILE && ofFiles);
  const rows = hasCopies ? await findFirstSeen(connection, listingId) : [];
  const firstSeen = rows.flatMap(({ otherId, type, repository, files, createdAt }) =>
    otherId === null ? [] : [{ id: otherId, type, repository, files, createdAt }],
  );
  const { skills = 0, matched: copiedSkills = 0 } = rows[0] ?? {};
  return { groups, firstSeen, skills, copiedSkills };
}

/** Files that are the same to the last byte. */
export const SAME_FILE = 'identical_skill_file';

/** Everything that is said of one file of a listing, in one statement; a path names a skill's folder or its file. */
export async function loadFileRelations(
  connection: Connection,
  listingId: string,
  path: string | null,
  asked: AskedRelations = FIRST,
): Promise<RelationGroup[]> {
  if (path === null) return [];
  return toGroups(await findFileRelations(connection, listingId, spellingsOf(path), asked));
}

/** Everything that is said of a creator's listings and others, or what is asked for of it, in one statement. */
export async function loadCreatorRelations(
  connection: Connection,
  creatorId: string,
  asked: AskedRelations = FIRST,
): Promise<RelationGroup[]> {
  return toGroups(await findCreatorRelations(connection, creatorId, asked));
}

/** A skill is told by its folder or by the file in it. */
function spellingsOf(path: string): string[] {
  const folder = path.replace(/\/*$/, '').replace(/(^|\/)skill\.md$/i, '');
  const files = ['SKILL.md', 'skill.md'].map((file) => (folder === '' ? file : `${folder}/${file}`));
  return [...new Set([path, folder, ...files])].filter((spelling) => spelling !== '');
}

function toGroups(rows: readonly RelationRow[]): RelationGroup[] {
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

/** `row` is the first of its group, whose age comes first where any is known. */
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
  const { otherId, agentId, repository, path, trust, confidence, verdict } = row;
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
    createdAt,
  };
  const { ownId, ownType, ownRepository } = row;
  const own =
    ownId && ownType && ownRepository ? { id: ownId, type: ownType, repository: ownRepository } : null;
  return { own, other, files, stated, evidence, source, since };
}
