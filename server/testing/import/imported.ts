import { readSearch } from '../../src/registry/listings/read-search.ts';
import { createNaming } from '../../src/subjects/naming.ts';
import { resolveSubject } from '../../src/subjects/resolve-subject.ts';
import type { SubjectType } from '../../src/subjects/subject-type.ts';
import type { ImportWorkspace } from './import-workspace.ts';

const naming = createNaming('http://directory.example');

/** Looks at what the imports of one test came to. */
export interface Imported {
  /** What a name leads to: `repository`, `repository#artifact`, or the error's code. */
  lead(text: string, type?: SubjectType): Promise<string>;
  /** The subject that a listing of this repository is; undefined where there is none. */
  idOf(repository: string): Promise<string | undefined>;
  /** Trust score of a listing, 0 to 100. */
  trustOf(repository: string): Promise<number>;
  /** Repositories of the listings that a search finds. */
  found(text: string): Promise<string[]>;
  /** The first row of a query; throws where there is none. */
  one<Row extends object>(sql: string, ...bind: unknown[]): Promise<Row>;
}

/** Looks into the workspace that is in use at the time. */
export function importedOf(workspace: () => ImportWorkspace): Imported {
  const rowsOf = <Row extends object>(sql: string, bind: unknown[]) =>
    workspace().database.query<Row>(sql, bind);
  const one = async <Row extends object>(sql: string, ...bind: unknown[]) => {
    const [row] = await rowsOf<Row>(sql, bind);
    if (!row) throw new Error('no row');
    return row;
  };
  return {
    async lead(text, type = 'skill') {
      try {
        const { repository, name, agentId } = await resolveSubject(workspace().database, type, text, naming);
        return agentId === null && repository !== null ? `${repository}#${name}` : (repository ?? name);
      } catch (error) {
        return (error as { code: string }).code;
      }
    },
    async idOf(repository) {
      const sql = 'SELECT subject_id AS id FROM listing WHERE repository = $1';
      return (await rowsOf<{ id: string }>(sql, [repository]))[0]?.id;
    },
    async trustOf(repository) {
      return (
        await one<{ trust: number }>(
          'SELECT trust FROM listing JOIN listing_rank USING (subject_id) WHERE repository = $1',
          repository,
        )
      ).trust;
    },
    async found(text) {
      const rows = await rowsOf<{ repository: string }>(
        'SELECT repository FROM listing JOIN listing_words USING (agent_id) WHERE words @@ $1::tsquery ORDER BY 1',
        [readSearch(text)?.all ?? null],
      );
      return rows.map(({ repository }) => repository);
    },
    one,
  };
}
