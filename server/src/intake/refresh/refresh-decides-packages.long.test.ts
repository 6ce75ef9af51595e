import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { importQueriesOf } from '../../../testing/import/import-queries.ts';
import { listing, server } from '../../../testing/import/rows.ts';
import { createRefreshWorkspace, type RefreshWorkspace } from '../../../testing/refresh/refresh-workspace.ts';
import { packument } from '../../../testing/stand-ins/package-records.ts';
import { saveFacts } from '../../catalog/facts/observed-facts.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { delistListing } from '../../directory/delisting/delist-listing.ts';
import { relistListing } from '../../directory/delisting/relist-listing.ts';
import { packageSource } from './package-source.ts';

const publicUrls = createPublicUrls('https://trust.example');
const LATER = '2026-01-01T00:00:00Z';

let work: RefreshWorkspace;
const { lead, one, idOf } = importQueriesOf(() => work);

beforeEach(async () => {
  work = await createRefreshWorkspace();
});
afterEach(() => work.close());

const NONE = { npm: null, isConfirmed: false };
const ROBOT = { npm: 'robot', isConfirmed: true };

const packageOf = (repository: string) =>
  one(
    'SELECT npm_package AS npm, npm_confirmed AS "isConfirmed" FROM listing WHERE repository = $1',
    repository,
  );

const named = (more: object = {}, repository = 'acme/robot') =>
  server('io.github.acme/robot', repository, [['npm', 'robot']], { ...more });

it('a refresh that learns the id of a repository ends the package of another one that had its name', async () => {
  work.standIn.world.repository({ name: 'acme/robot', id: '7' });
  await work.store(listing('acme/robot'), named({ repositoryId: '8' }));
  expect(await packageOf('acme/robot')).toEqual(ROBOT);

  await work.refresh();

  expect(await packageOf('acme/robot')).toEqual(NONE);
  expect(await lead('npm:robot')).toBe('subject_not_found');
});

itAtNight('a refresh that follows a rename ends the package until an entry names the new name', async () => {
  const repository = work.standIn.world.repository({ name: 'acme/robot', id: '7' });
  await work.store(listing('acme/robot'), named({ repositoryId: '7' }));
  await work.refresh();
  expect(await packageOf('acme/robot')).toEqual(ROBOT);

  repository.name = 'acme/robot-two';
  repository.formerNames.push('acme/robot');
  await work.makeDue();
  expect((await work.refresh()).outcomes).toEqual({ renamed: 1 });

  expect(await packageOf('acme/robot-two')).toEqual(NONE);
  expect(await lead('npm:robot')).toBe('subject_not_found');
  await work.store(named({ version: '2.0.0', publishedAt: LATER, updatedAt: LATER }, 'acme/robot-two'));
  expect(await packageOf('acme/robot-two')).toEqual(ROBOT);
  expect(await lead('npm:robot')).toBe('acme/robot-two');
});

it('a listing that was delisted has the packages that are right when it comes back', async () => {
  await work.store(listing('acme/robot'), named());
  const relist = () => relistListing(work.database, 'acme/robot', publicUrls);
  const delist = () =>
    delistListing(work.database, { text: 'acme/robot', reason: 'It was spam', publicUrls });

  await delist();
  await work.store(named({ status: 'deleted', updatedAt: LATER }));
  await relist();
  expect(await packageOf('acme/robot')).toEqual(NONE);

  await delist();
  await work.store(named({ version: '2.0.0', publishedAt: LATER, updatedAt: LATER }));
  await relist();
  expect(await packageOf('acme/robot')).toEqual(ROBOT);
  expect(await lead('npm:robot')).toBe('acme/robot');
});

itAtNight('a listing that comes back has the published version of its package again', async () => {
  await work.store(listing('acme/robot'), named());
  const record = packument('robot', [{ version: '1.0.0', at: '2026-01-02T03:04:05Z' }]);
  work.standIn.world.package({ api: 'npm', name: 'robot', users: [], record });
  await work.refreshFrom(packageSource(work.parts));
  const published = () =>
    work.database.query(
      `SELECT value ->> 'version' AS version, observed_at AS at FROM observed_fact WHERE fact = 'published_package'`,
    );
  const before = await published();

  await delistListing(work.database, { text: 'acme/robot', reason: 'It was spam', publicUrls });
  await relistListing(work.database, 'acme/robot', publicUrls);

  expect(before).toMatchObject([{ version: '1.0.0' }]);
  expect(await published()).toEqual(before);
});

itAtNight('an import of a row confirms the package that a manifest of its repository names', async () => {
  await work.store(listing('acme/robot', { npmPackage: 'robot' }));
  const record = packument('robot', [
    { version: '1.0.0', at: '2026-01-02T03:04:05Z', repository: 'acme/robot' },
  ]);
  await work.store(record);
  const subjectId = (await idOf('acme/robot')) ?? '';
  const packages = [{ ecosystem: 'npm' as const, name: 'robot', path: 'package.json' }];
  const source = { source: 'github.com', url: 'https://github.com/acme/robot', license: null };
  await saveFacts(work.database, [{ subjectId, fact: 'manifest', value: { packages }, ...source }]);

  // Storing the row again decides its packages again.
  await work.store(listing('acme/robot', { npmPackage: 'robot', description: 'Other words.' }));

  expect(await packageOf('acme/robot')).toEqual(ROBOT);
});
