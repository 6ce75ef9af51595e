import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { IS_NIGHTLY } from '../../testing/nightly.ts';
import { type CommandResult, runCommand } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Runs a command of the shipped program. */
function shipped(line: string): Promise<CommandResult> {
  return runCommand(line.split(' '), { DATABASE_URL: test.url });
}

/** Runs a command of the shipped program at night, and in this process by day. */
function command(line: string): Promise<CommandResult> {
  return IS_NIGHTLY ? shipped(line) : runCommandHere(line.split(' '), { DATABASE_URL: test.url });
}

const SECRET = /svc_live_[0-9A-Za-z]{38}/;

describe('the operator’s command line', () => {
  it('creates an account with a key, and shows the secret once', async () => {
    const account = await command('accounts create --handle example-labs --plan builder');
    const key = await shipped('keys create --account example-labs --scopes scores:read');
    const list = await command('keys list --account EXAMPLE-LABS');

    expect(account).toMatchObject({ code: 0, stdout: expect.stringContaining('example-labs, plan builder') });
    expect(key.stdout).toMatch(SECRET);
    expect(list.stdout).toContain('scores:read');
    expect(list.stdout).not.toMatch(SECRET);
    expect((await command('accounts list')).stdout).toMatch(/example-labs +builder +1 /);
  });

  it('ends every session that it opened', async () => {
    const sessions = await test.database.query<{ opened_by: string; ended: boolean }>(
      'SELECT opened_by, ended_at IS NOT NULL AS ended FROM session',
    );

    expect(sessions).toEqual([{ opened_by: 'operator', ended: true }]);
  });

  it('grants credits as ledger entries', async () => {
    const granted = await shipped(
      'grant --account example-labs --credits 500 --source purchased --note invoice-7',
    );

    expect(granted.stdout).toContain('500 purchased credits for example-labs');
    expect(
      await test.database.query("SELECT kind, d_total, note FROM ledger_entry WHERE note = 'invoice-7'"),
    ).toEqual([{ kind: 'grant', d_total: 500, note: 'invoice-7' }]);
  });

  it('revokes a key permanently', async () => {
    const [key] = await test.database.query<{ id: string }>('SELECT id FROM access_key');

    expect(await command(`keys revoke --account example-labs --key ${key?.id}`)).toMatchObject({ code: 0 });
    expect((await command('keys list --account example-labs')).stdout).toContain('revoked');
    expect(await command(`keys revoke --account example-labs --key ${key?.id}`)).toMatchObject({ code: 1 });
  });

  it('verifies the ledger and prints counts, and fails on an inconsistent row', async () => {
    expect(await shipped('ledger verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 buckets, 0 runs, 1 entries, 0 bad rows$/m),
    });

    await test.database.query('UPDATE credit_bucket SET used = 1');
    expect(await command('ledger verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('bucket differs from the sum of its entries'),
    });
    await test.database.query('UPDATE credit_bucket SET used = 0');
  });

  it.each(
    [
      ['accounts create --handle example-labs', 'belongs to an account'],
      ['accounts create --handle -x-', 'A handle must be 1 to 100'],
      [
        'accounts create --handle other --plan gold',
        'There is no plan "gold". Plans: free, builder, pro, enterprise.',
      ],
      ['keys create --account nobody', 'There is no account "nobody"'],
      ['keys create --account example-labs --scopes mcp:invoke', 'reserved scope "mcp:invoke"'],
      ['keys create --account example-labs --expires 2020-01-01T00:00:00Z', 'a moment in the future'],
      [
        'keys revoke --account example-labs --key not-an-id',
        'has no active, paused or expired key not-an-id',
      ],
      ['grant --account example-labs --credits -5', 'whole number from 1'],
      ['grant --account example-labs --credits 5 --source included', 'Allowed choices are gifted, purchased'],
      ['import no-such-file.ndjson', 'no-such-file.ndjson'],
    ].map(([line = '', sentence = ''], index) => ({
      line,
      sentence,
      isShipped: index === 0,
    })),
  )('"$line" fails with a message and without a stack', async ({ line, sentence, isShipped }) => {
    const { code, stderr } = await (isShipped ? shipped(line) : command(line));

    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n {4}at |SELECT|Sequelize/);
  });
});
