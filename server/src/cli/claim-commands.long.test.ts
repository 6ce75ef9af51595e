import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import type { CommandResult } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { type StandInHost, startStandInHost } from '../../testing/stand-ins/stand-in-host.ts';
import { makeListing } from '../../testing/subjects/registry.factory.ts';
import { findClaimsOf } from '../ownership/handles/listing-claims.queries.ts';
import { presentClaim } from '../ownership/proofs/linked-accounts.presenter.ts';

let test: TestDatabase;
let standIn: StandInHost;

beforeAll(async () => {
  test = await createTestDatabase();
  standIn = await startStandInHost();
  const account = standIn.world.account({ handle: 'acme', id: '4711' });
  // Repositories whose creation date on the host differs from their listings': they may be different ones.
  for (const name of ['acme/robot', 'acme/arm']) {
    await makeListing(test.database, { repository: name });
    standIn.world.repository({ name, ownerId: account.id, createdAt: '2012-01-01T00:00:00Z' });
  }
  await test.database.query("UPDATE listing SET repository_created_at = '2024-02-03T04:05:06Z'");
  await command('accounts create --handle example-labs');
  const verified = await command(
    'creators verify --account example-labs --kind repo_host --host github.com --handle acme --evidence https://acme.example/proof',
  );
  expect(verified).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await standIn.close();
  await test.close();
});

function command(line: string): Promise<CommandResult> {
  return runCommandHere(line.split(' '), { DATABASE_URL: test.url, HOST_API_URLS: standIn.environment });
}

async function claimsOf(handle: string) {
  const [account] = await test.database.query<{ id: string }>('SELECT id FROM account WHERE handle = $1', [
    handle,
  ]);
  const claims = await findClaimsOf(test.database, account?.id ?? '');
  return claims.map((claim) => presentClaim(claim, account?.id ?? ''));
}

const marks = () =>
  test.database.query(
    `SELECT l.repository, l.verified, a.handle AS account FROM listing l
     JOIN creator c ON c.subject_id = l.creator_id LEFT JOIN account a ON a.id = c.account_id ORDER BY 1`,
  );

describe('the claim commands', () => {
  it('list open claims with claimant and reason', async () => {
    const { stdout, code } = await command('claims list');

    expect(code).toBe(0);
    for (const name of ['acme/robot', 'acme/arm'])
      expect(stdout).toMatch(new RegExp(`github\\.com/${name} +example-labs +acme `));
    expect(await claimsOf('example-labs')).toMatchObject([
      { isYours: true, claimedBy: 'acme', reason: expect.stringMatching(/\w+/) },
      { isYours: true },
    ]);
    expect(await marks()).toMatchObject([{ verified: false }, { verified: false }]);
  });

  it('assign a listing to the claimant, refuse another claim, and decide each claim once', async () => {
    const claims = await claimsOf('example-labs');
    const idOf = (repository: string) => claims.find((claim) => claim.repository === repository)?.id;
    const decide = (id: string | undefined, decision: string) =>
      command(`claims decide --id ${id} --decision ${decision}`);

    expect(await decide(idOf('acme/robot'), 'give')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("is example-labs's now"),
    });
    expect(await decide(idOf('acme/arm'), 'refuse')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('does not get'),
    });

    expect(await marks()).toEqual([
      { repository: 'acme/arm', verified: false, account: null },
      { repository: 'acme/robot', verified: true, account: 'example-labs' },
    ]);
    expect((await command('claims list')).stdout).toContain('no open claims');
    expect(await decide(idOf('acme/robot'), 'refuse')).toMatchObject({ code: 1 });
  });
});
