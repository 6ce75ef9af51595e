import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { importFiles } from './import-files.ts';
import { ROW_KINDS } from './validate-row.ts';

const README = new URL('../../../sample/README.md', import.meta.url);

it('the rows that the documentation of the format shows are imported, each of its kind', async () => {
  const test = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'documented-format-'));
  const rows = /```json\n([\s\S]*?)```/.exec(await readFile(README, 'utf8'))?.[1] ?? '';
  const file = join(folder, 'rows.ndjson');
  await writeFile(file, rows);

  // Files of domains count only if the operator or a proof confirms the domain.
  await test.database.query(
    "INSERT INTO source_reading (source, item, host) VALUES ('well-known', 'labs.example', 'labs.example')",
  );
  const { kinds } = await importFiles(test.database, embeddedBackend, [file], {
    rejectsPath: join(folder, 'rejects.ndjson'),
  });

  for (const kind of ROW_KINDS) {
    expect(kinds[kind], kind).toMatchObject({ read: 1, rejected: 0 });
  }
  expect(kinds.unknown.read).toBe(0);
  await test.close();
  await rm(folder, { recursive: true });
});
