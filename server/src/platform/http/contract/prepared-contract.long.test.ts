import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import type { Contract } from './contract.ts';
import { loadContract } from './parse-contract.ts';
import { createRoutes, prepareContract } from './prepare-contract.ts';
import { openContract } from './prepared-contract.ts';

const written = loadContract();
/** Returns a different text for each test, because the last opened contract is memoized. */
const textOf = (what: string) => `${written.text}# ${what}\n`;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-contract-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Opens a contract with the given build output; null means no build. */
async function open(text: string, left: string | null): Promise<Contract> {
  const [path, prepared] = [join(folder, 'openapi.yaml'), join(folder, 'contract.json')];
  await writeFile(path, text);
  await rm(prepared, { force: true });
  if (left !== null) await writeFile(prepared, left);
  return openContract(path, prepared);
}

describe('the contract that the build prepared', () => {
  it('is the one that is written, to the order of its members, with the routes that are made of it', async () => {
    const text = textOf('prepared');

    const opened = await open(text, JSON.stringify(await prepareContract(text)));

    expect(opened.routes).toEqual(JSON.parse(JSON.stringify(await createRoutes(written.document))));
    expect(opened).toEqual({ ...written, text, routes: opened.routes });
    expect(JSON.stringify(opened.document)).toBe(JSON.stringify(written.document));
    const ids = written.operations.map(({ operationId }) => operationId);
    expect(opened.routes?.map(({ operationId }) => operationId)).toEqual(ids);
  });

  itAtNight('is of no use for another text, which is parsed', async () => {
    const left = JSON.stringify(await prepareContract(textOf('before')));

    const opened = await open(textOf('after').replace('title: Trust Directory', 'title: Another'), left);

    expect(opened.document.info).toMatchObject({ title: 'Another' });
    expect(opened.routes).toBeNull();
  });

  const MISSING: [what: string, left: string | null][] = [
    ['half a file', '{"of": "'],
    ['no file', null],
  ];

  it.each(sampleUnlessNightly(MISSING, ([, left]) => left !== null))(
    'is done without where there is %s',
    async (what, left) => {
      const opened = await open(textOf(what), left);

      expect(opened.document).toEqual(written.document);
      expect(opened.routes).toBeNull();
    },
  );
});

describe('a contract is not prepared', () => {
  const UNUSABLE: [what: string, text: string, reason: RegExp][] = [
    ['that is no OpenAPI', 'openapi: 3.1.0\npaths: []\n', /valid specification/],
    [
      'that has a reference to nothing',
      written.text.replace(
        "$ref: '#/components/responses/LinkedAccounts'",
        "$ref: '#/components/responses/Nothing'",
      ),
      /responses\/Nothing|valid specification/,
    ],
    [
      'whose schemas the validator does not take',
      written.text.replace('        maxLength: 200\n', '        longest: 200\n        maxLength: 200\n'),
      /longest/,
    ],
  ];

  it.each(sampleUnlessNightly(UNUSABLE, ([what]) => what === 'that has a reference to nothing'))(
    '%s',
    async (_what, text, reason) => {
      expect(text).not.toBe(written.text);

      await expect(prepareContract(text)).rejects.toThrow(reason);
    },
  );
});
