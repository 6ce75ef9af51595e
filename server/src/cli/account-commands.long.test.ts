import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import type { CommandResult } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { redeemSignInLink } from '../accounts/sign-in/sign-in-link.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import { removeRunningServer, renewRunningServer } from '../platform/database/advisory-lock.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await command('accounts create --handle acme --plan builder');
});
afterAll(async () => {
  expect((await verifyLedger(test.database)).bad).toEqual([]);
  await test.close();
});

function command(line: string): Promise<CommandResult> {
  return runCommandHere(line.split(' '), { DATABASE_URL: test.url, PUBLIC_URL: 'https://trust.example' });
}

async function printed(line: string): Promise<string> {
  const { code, stdout, stderr } = await command(line);
  expect([line, code, stderr]).toEqual([line, 0, '']);
  return stdout;
}

describe('the account commands', () => {
  it('change plan, overage and balances, and show the result', async () => {
    expect(await printed('plan set --account acme --plan pro')).toBe(
      'acme is on the plan pro now (before: builder)\n',
    );
    expect(await printed('plan set --account acme --plan free')).toMatch(
      /^acme stays on the plan pro until .*Z, then free$/m,
    );
    expect(await printed('overage on --account acme --cap 700')).toContain('700 credits of overage a month');
    await printed('grant --account acme --credits 40 --source purchased --months 3 --note invoice-7');

    const shown = await printed('accounts show --account acme');
    expect(shown).toMatch(/^plan pro; free from 20\d\d-\d\d-01T00:00:00.000000Z on$/m);
    expect(shown).toMatch(/^overage up to 700 credits a month$/m);
    expect(shown).toMatch(/^0 of 20 active keys$/m);
    const bucket = /^(\d+) +included +credit +20000 +0 +0 +20000 /m.exec(shown)?.[1];
    expect(shown).toMatch(/purchased +credit +40 /);

    expect(await printed(`adjust --account acme --bucket ${bucket} --credits -19000 --note correction`)).toBe(
      'included of acme: 1000 left of 1000\n',
    );
    expect(await command(`adjust --account acme --bucket ${bucket} --credits -1001 --note x`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('At most 1000 can be removed'),
    });
    expect(await printed('overage off --account acme')).toContain('no overage');
  });

  it('pause, resume and replace keys', async () => {
    const id = /key (\S+)/.exec(await printed('keys create --account acme --scopes scores:read'))?.[1];

    await printed(`keys pause --account acme --key ${id}`);
    expect(await printed('keys list --account acme')).toContain('inactive');
    await printed(`keys resume --account acme --key ${id}`);
    const replaced = await printed(`keys replace --account acme --key ${id} --expires 2099-01-01T00:00:00Z`);

    expect(replaced).toMatch(/svc_live_[0-9A-Za-z]{38}/);
    const keys = await printed('keys list --account acme');
    expect(keys).toMatch(/scores:read +active .* 2099-01-01T00:00:00/);
    expect(keys).toMatch(/scores:read +revoked /);
  });

  it('print a link that signs in once', async () => {
    const stdout = await printed('sign-in-link --account acme');

    const token = /^https:\/\/trust\.example\/sign-in\?token=([\w-]{43})$/m.exec(stdout)?.[1] ?? '';
    expect(await redeemSignInLink(test.database, token)).toMatchObject({ token: expect.any(String) });
  });

  itAtNight('print a link to the running server, or say that none is running', async () => {
    const links = async (env: Record<string, string>) => {
      const { stdout } = await runCommandHere(['sign-in-link', '--account', 'acme'], {
        DATABASE_URL: test.url,
        ...env,
      });
      return {
        origin: /^(\S+)\/sign-in\?token=/m.exec(stdout)?.[1],
        isTold: stdout.includes('No server runs'),
      };
    };
    const [killed, one, two] = [randomUUID(), randomUUID(), randomUUID()];
    await renewRunningServer(test.database, { id: killed, publicUrl: 'https://killed.example' });
    await test.database.query("UPDATE running_server SET seen_at = ledger_now() - interval '31 seconds'");
    const configured = { PORT: '4900' };

    expect(await links(configured)).toEqual({ origin: 'http://127.0.0.1:4900', isTold: true });
    await renewRunningServer(test.database, { id: one, publicUrl: 'http://127.0.0.1:4173' });
    expect(await links(configured)).toEqual({ origin: 'http://127.0.0.1:4173', isTold: false });
    expect(await links({ PORT: '0' })).toEqual({ origin: 'http://127.0.0.1:4173', isTold: false });
    await renewRunningServer(test.database, { id: two, publicUrl: 'http://127.0.0.1:4900' });
    await renewRunningServer(test.database, { id: one, publicUrl: 'http://127.0.0.1:4173' });
    expect(await links(configured)).toEqual({ origin: 'http://127.0.0.1:4900', isTold: false });
    for (const id of [killed, one, two]) await removeRunningServer(test.database, id);
    expect(await links(configured)).toEqual({ origin: 'http://127.0.0.1:4900', isTold: true });
  });

  itAtNight('print no link if the port is unknown, and say what to set', async () => {
    const env = { DATABASE_URL: test.url, PORT: '0' };

    const { code, stdout, stderr } = await runCommandHere(['sign-in-link', '--account', 'acme'], env);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('set PUBLIC_URL');
  });

  it('suspend, resume and, only after confirmation, delete', async () => {
    await printed('accounts suspend --account acme');
    expect(await printed('accounts list')).toMatch(/acme +pro +1 +suspended/);
    expect((await command('keys create --account acme')).stderr).toContain(
      'acme is suspended. Resume it first',
    );
    await printed('accounts resume --account acme');

    expect(await command('accounts delete --account acme')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 active keys would stop working. Add --yes'),
    });
    const [, id] = /kept under (\S+)/.exec(await printed('accounts delete --account acme --yes')) ?? [];

    expect(await printed('accounts list')).toBe('no accounts\n');
    expect(await printed('accounts list --deleted')).toContain(`deleted-${id}`);
    expect(await printed(`accounts show --account ${id}`)).toContain('deleted, since');
    await printed('accounts create --handle acme');
  });

  const REFUSED: [line: string, sentence: string][] = [
    ['plan set --account acme --plan gold', 'There is no plan "gold"'],
    [
      'overage on --account acme',
      'The free plan has no overage. Plans that have it: builder, pro, enterprise.',
    ],
    ['adjust --account acme --bucket 999999 --credits 5 --note x', 'has no bucket with this id'],
    ['adjust --account acme --bucket 1 --credits 1.5 --note x', 'whole number other than 0'],
    ['adjust --account acme --bucket 1 --credits 5', 'The option --note <text> is missing: add it.'],
    ['keys pause --account acme --key not-an-id', 'no access key with this id'],
    ['keys replace --account acme --key not-an-id', 'must be an active or paused key'],
    ['keys create --account acme --expires tomorrow', 'A key expires at a moment in the future'],
  ];

  it.each(sampleUnlessNightly(REFUSED, (_, index) => index % 4 === 0))(
    '"%s" fails with a message and without a stack',
    async (line, sentence) => {
      const { code, stdout, stderr } = await command(line);

      expect(code).toBeGreaterThan(0);
      expect(stdout).toBe('');
      expect(stderr).toContain(sentence);
      expect(stderr).not.toMatch(/\n {4}at |SELECT|Sequelize|constraint/);
    },
  );
});
