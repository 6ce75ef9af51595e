import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Build of the SDK, which `npm test` makes first. */
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

/** Returns a file of the build and the files that it imports, by name. */
async function filesOf(folder: string, name: string, found = new Map<string, string>()) {
  const text = await readFile(join(folder, name), 'utf8');
  found.set(name, text);
  const loaded = [...text.matchAll(/(?:from |import\()"\.\/([^"/]+\.mjs)"/g)].map(([, file = '']) => file);
  for (const file of loaded) if (!found.has(file)) await filesOf(folder, file, found);
  return found;
}

it('the built mock holds of the server what it is made of and no database, with the licence of every package in it', async () => {
  const licenses = await readFile(join(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const files = await filesOf(DIST, 'start-mock.mjs');
  // undici is in a separate chunk.
  const code = [...files].map(([name, text]) => (name === 'undici.mjs' ? '' : text)).join('\n');

  const inside = [...code.matchAll(/^\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/(\S*)/gm)];
  const names = new Set(inside.map(([, name = '']) => name));
  expect([...names]).toEqual(expect.arrayContaining(['fastify', 'ajv', '@fastify/cors']));
  for (const name of [...names, 'undici']) expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\(`, 'm'));
  for (const name of ['pg', 'ioredis', 'undici', 'preact', 'rate-limiter-flexible'])
    expect(names).not.toContain(name);
  const ofSequelize = inside.filter(([, name]) => name === 'sequelize').map(([, , file = '']) => file);
  expect(ofSequelize.filter((file) => !/^lib\/(errors\/|dialects\/mssql\/async-queue)/.test(file))).toEqual(
    [],
  );
});
