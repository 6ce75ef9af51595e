import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { wellKnownSource } from '../refresh/well-known-source.ts';
import { storeWellKnown } from './save-well-known.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('files of a domain lock the listings of all their facts together, in the order of their ids', async () => {
  const { database } = test;
  const listings = [await makeListing(database), await makeListing(database)];
  const [lower, higher] = listings.map(({ subjectId }) => subjectId).sort() as [string, string];
  await database.query(
    `INSERT INTO observed_fact (subject_id, fact, source, value, url)
     VALUES ($1, 'skills_index', 'maker.example', '{}', 'https://maker.example'),
       ($2, 'agent_card', 'maker.example', '{}', 'https://maker.example')`,
    [lower, higher],
  );

  let storing: Promise<string[]> | undefined;
  await inTransaction(database, async (charging) => {
    await lockSubjects(charging, [lower]);
    storing = inTransaction(database, (connection) =>
      storeWellKnown(connection, 'maker.example', { card: null, skills: null }),
    );
    await untilBlocked(database, storing);
    await lockSubjects(charging, [higher]);
  });

  expect((await storing)?.sort()).toEqual([lower, higher]);
});

it('a refresh forgets a domain although a deadlock ends its first attempt', async () => {
  const { database } = test;
  const { subjectId } = await makeListing(database);
  await database.query(
    `INSERT INTO observed_fact (subject_id, fact, source, value, url)
     VALUES ($1, 'agent_card', 'former.example', '{}', 'https://former.example')`,
    [subjectId],
  );
  // A sequence keeps its count when the statement is rolled back.
  await database.query('CREATE SEQUENCE victims');
  await database.query(`CREATE FUNCTION be_victim() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      IF nextval(''victims'') = 1 THEN RAISE EXCEPTION ''deadlock detected'' USING ERRCODE = ''40P01''; END IF;
      RETURN NEW;
    END'`);
  await database.query(
    'CREATE TRIGGER be_victim BEFORE INSERT ON score_due FOR EACH ROW EXECUTE FUNCTION be_victim()',
  );

  const source = wellKnownSource({ database, hosts: {} as Hosts, wellKnownDomains: [] });
  await source.prepare();

  const due = await database.query('SELECT FROM score_due WHERE subject_id = $1', [subjectId]);
  const facts = await database.query(`SELECT FROM observed_fact WHERE source = 'former.example'`);
  expect([due.length, facts.length]).toEqual([1, 0]);
});
