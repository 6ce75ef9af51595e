import { createPublicUrls } from '../../src/catalog/subjects/public-path.ts';
import { resolveSubject } from '../../src/catalog/subjects/resolve-subject.ts';
import { matchOf } from '../../src/directory/lists/match-conditions.sql.ts';
import { buildSearch } from '../../src/directory/search/build-search.ts';
import type { SubjectType } from '../../src/scoring/subject-type.ts';
import type { ImportWorkspace } from './import-workspace.ts';

const publicUrls = createPublicUrls('http://directory.example');

/** Queries for the results of the imports of one test. */
export interface ImportQueries {
  /** Resolves a name to `repository`, `repository#artifact`, or the error's code. */
  lead(text: string, type?: SubjectType): Promise<string>;
  /** Returns the subject of this repository's listing; undefined without one. */
  idOf(repository: string): Promise<string | undefined>;
  /** Returns the trust of a listing, 0 to 100. */
  trustOf(repository: string): Promise<number>;
  /** Returns the repositories of the listings that have all words of a search. */
  found(text: string): Promise<string[]>;
  /** Returns the first row of a query; throws without one. */
  one<Row extends object>(sql: string, ...bind: unknown[]): Promise<Row>;
}

/** Creates the queries for the workspace that is current at the time of each call. */
export function importQueriesOf(workspace: () => ImportWorkspace): ImportQueries {
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
        const { repository, name, agentId } = await resolveSubject(
          workspace().database,
          type,
          text,
          publicUrls,
        );
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
      const search = await buildSearch(workspace().database, text);
      const rows = await rowsOf<{ repository: string }>(
        'SELECT repository FROM listing JOIN listing_words USING (agent_id) WHERE words @@ $1::tsquery ORDER BY 1',
        [search === null ? null : (matchOf(search, [], false)?.by ?? null)],
      );
      return rows.map(({ repository }) => repository);
    },
    one,
  };
}
