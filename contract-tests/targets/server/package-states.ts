import { randomUUID } from 'node:crypto';
import { saveReadings } from '../../../server/src/catalog/advisories/save-advisories.ts';
import { missingPackage } from '../../../server/src/catalog/packages/registry-reading.ts';
import { savePackageReadings } from '../../../server/src/catalog/packages/save-package-readings.ts';
import { lockRegistry } from '../../../server/src/catalog/registry-locks.ts';
import { inTransaction } from '../../../server/src/platform/database/transaction.ts';
import { osvRecord, storeOsv } from '../../../server/testing/advisories/sample-advisories.ts';
import { makeListing } from '../../../server/testing/subjects/registry.factory.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

type PackageState =
  | 'packages of a lock file'
  | 'a version of a listed package'
  | 'a version with an advisory'
  | 'a listed package without an advisory'
  | 'a package of a registry whose advisories were not read'
  | 'a package that its registry does not have'
  | 'a package that the client holds'
  | 'a tag in place of a version';

/** Creates the states of packages. No state has imported an advisory database of PyPI. */
export function packageStates({ world, clientOn, unseenClientOn }: StateTools): MakersOf<PackageState> {
  const { database } = world;
  const affected = async () => {
    const name = `bad-${randomUUID().slice(0, 8)}`;
    await storeOsv(database, osvRecord(`MAL-2026-${name}`, name, { aliases: [`GHSA-${name}`] }));
    return `npm:${name}@1.0.0`;
  };
  const sound = async () => {
    const name = `sound-${randomUUID().slice(0, 8)}`;
    const { id } = await makeListing(database, { npmPackage: name });
    await database.query('UPDATE listing SET npm_confirmed = true WHERE subject_id = $1', [id]);
    await saveReadings(database, [{ source: 'Example', ecosystem: 'npm', records: 1 }]);
    return { named: `npm:${name}`, id };
  };
  return {
    'packages of a lock file': async () => ({
      client: await clientOn('working'),
      subjects: [{ subject: await affected() }, { subject: (await sound()).named }],
    }),
    'a version of a listed package': async () => {
      const name = `hijacked-${randomUUID().slice(0, 8)}`;
      const { id } = await makeListing(database, { npmPackage: name });
      await database.query('UPDATE listing SET npm_confirmed = true WHERE subject_id = $1', [id]);
      const affected = [{ package: { ecosystem: 'npm', name }, versions: ['0.5.1', '0.6.1'] }];
      await storeOsv(database, osvRecord(`MAL-2026-${name}`, name, { affected }));
      return { client: await clientOn('working'), id, label: `npm:${name}@0.6.1` };
    },
    'a version with an advisory': async () => ({
      client: await clientOn('working'),
      named: await affected(),
    }),
    'a listed package without an advisory': async () => ({
      client: await clientOn('working'),
      ...(await sound()),
    }),
    'a package of a registry whose advisories were not read': async () => ({
      client: await clientOn('working'),
      named: 'pypi:example-notes==1.0.0',
    }),
    'a package that its registry does not have': async () => {
      const name = `unpublished-${randomUUID().slice(0, 8)}`;
      await inTransaction(database, async (connection) => {
        await lockRegistry(connection);
        const missing = missingPackage({ ecosystem: 'npm', name });
        await savePackageReadings(connection, [missing], { isImport: true });
      });
      return { client: await clientOn('working'), named: `npm:${name}` };
    },
    'a package that the client holds': async () => {
      const named = await affected();
      const params = { query: { package: named } };
      const held = await (await unseenClientOn('working')).GET('/api/packages', { params });
      return { client: await clientOn('working'), named, etag: held.response.headers.get('etag') ?? '' };
    },
    'a tag in place of a version': async () => ({
      client: await clientOn('working'),
      named: 'npm:mcp-remote@latest',
    }),
  };
}
