import type { SubjectType } from '../subjects/subject-type.ts';

/** Where a subject's badge is; `id` is an `AGT-` id or a canonical id. */
export function badgePath(type: SubjectType, id: string): string {
  return `/badge/${type}/${id}.svg`;
}

/** Where the picture of a subject for shared links is. */
export function cardPath(type: SubjectType, id: string): string {
  return `/badge/${type}/${id}/card.png`;
}
