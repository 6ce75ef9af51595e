import { expect, it } from 'vitest';
import { databaseKills } from './database-kills.ts';
import { holds } from './run-in-suite.ts';

it('kill -9 of PostgreSQL under load loses no receipt, and the servers recover by themselves', async () => {
  expect(await holds(databaseKills)).toMatchObject({ kills: 2, lost: 0, doubled: 0 });
});
