import type { Connection } from '../database/connect.ts';
import { findSubjects } from './found-subject.repository.ts';
import { labelsOf } from './labels-of.ts';
import type { Naming } from './naming.ts';
import { SUBJECT_TYPES } from './subject-type.ts';

/** A name that more subjects have is better said more exactly. */
const MOST_OF_TYPE = 50;

/** The ids of all subjects, of every type, that a text names: by id, address, former address, package, handle or name. */
export async function subjectsCalled(
  connection: Connection,
  text: string,
  naming: Naming,
): Promise<string[]> {
  const found = await Promise.all(
    SUBJECT_TYPES.map((type) => {
      const asked = labelsOf(text, type, naming).map((label, place) => ({ label, type, place }));
      return findSubjects(connection, asked, MOST_OF_TYPE, naming);
    }),
  );
  return found.flat().map(({ id }) => id);
}
