import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makeAccount } from '../../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { makeArtifact, makeCreator, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { presentIdentity } from '../../../directory/directory.handlers.ts';
import { getIdentity } from '../../../directory/get-identity.ts';
import { responseCache } from '../../../platform/http/response-cache/response-cache-plugin.ts';
import { scoreSubjects } from '../../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';
import { registerPages } from '../register-pages.ts';

const publicUrls = createPublicUrls('https://trust.example');
const KINDS = ['repo_host', 'node_packages', 'python_packages', 'professional_network'] as const;
const NAMES = ['Repository host', 'npm', 'PyPI', 'Professional network'];
const API_FIELDS = ['repoHost', 'nodePackages', 'pythonPackages', 'professionalNetwork'] as const;

/** Sets of proved kinds of account: every set of kinds that scores count, and some sets with other kinds. */
const PROVED: readonly (readonly string[])[] = [
  ...Array.from({ length: 2 ** KINDS.length }, (_, bits) =>
    KINDS.filter((_kind, place) => bits & (1 << place)),
  ),
  ['social'],
  ['social', 'messaging'],
  ['social', 'repo_host'],
];
/** Each set with and without a namespace in the MCP registry; only every fifth case if the run is not nightly. */
const CASES = sampleUnlessNightly(
  PROVED.flatMap((proved) => [true, false].map((hasNamespace) => ({ proved, hasNamespace }))),
  (_, place) => place % 5 === 0,
).map((each, place) => ({ handle: `maker-${place}`, ...each }));

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const ids: string[] = [];
  for (const { handle, proved, hasNamespace } of CASES) {
    const accountId = proved.length > 0 ? (await makeAccount(database)).accountId : null;
    const creator = await makeCreator(database, { handle, accountId });
    await database.query('UPDATE creator SET imported = $2 WHERE subject_id = $1', [
      creator.id,
      JSON.stringify({ mcpRegistryGithubNamespace: hasNamespace }),
    ]);
    for (const kind of proved) {
      await database.query(
        `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, host_account_id, checked_at,
           check_due_at)
         VALUES (gen_random_uuid(), $1, $2, 'acme.example', $3, ledger_now(), 'code', $3, ledger_now(), ledger_now())`,
        [accountId, kind, `${handle}-${kind}`],
      );
    }
    const listing = await makeListing(database, {
      creator,
      repository: `${handle}/robot`,
      stars: 40,
      license: 'MIT',
    });
    ids.push(creator.id, listing.id, await makeArtifact(database, listing, { name: 'tool' }));
  }
  await scoreSubjects(database, embeddedBackend, ids);
  app = Fastify();
  app.decorateRequest('errorCode', null);
  responseCache(app, { cache: null, reads: database });
  await registerPages(app, { reads: database, publicUrls });
}, 60_000);
afterAll(async () => {
  await app.close();
  await test.close();
});

/** Returns the kinds of account that a page shows as known in its rows of accounts. */
function kindsShown(html: string): string[] {
  return NAMES.filter((name) =>
    new RegExp(`<dt>${name}</dt><dd>(?:proved|by the MCP registry)</dd>`).test(html),
  );
}

/** Returns the text in the row for known accounts, in the section Why. */
function textInWhy(html: string): string {
  return (
    /<tr[^>]*><th scope="row">(?:Known accounts|Known accounts of the creator) ?<.*?<td><bdi>(.*?)<\/bdi>/.exec(
      html,
    )?.[1] ?? ''
  );
}

describe('knowledge of a creator’s accounts', () => {
  it.each(CASES)(
    'is the same in the section Why, in the rows of accounts and in the API: $proved, namespace $hasNamespace',
    async (each) => {
      const { handle, proved, hasNamespace } = each;
      const expected = NAMES.filter(
        (_name, place) => proved.some((kind) => kind === KINDS[place]) || (place === 0 && hasNamespace),
      );
      const counted = proved.filter((kind) => KINDS.some((other) => other === kind));
      const isAttestedAlone = counted.length === 0 && hasNamespace;
      const names = expected.join(', ') || 'none known that counts';
      const found = isAttestedAlone ? `${names}, by the MCP registry` : names;
      const profile = presentIdentity(await getIdentity(test.database, handle, publicUrls));

      for (const url of [`/s/${handle}/robot`, `/s/${handle}/robot/tool`, `/c/${handle}`]) {
        const { statusCode, body } = await app.inject(url);
        expect([url, statusCode]).toEqual([url, 200]);
        expect([url, kindsShown(body)]).toEqual([url, expected]);
        expect([url, textInWhy(body)]).toEqual([url, found]);
      }
      const knownInApi = { ...profile.verifiedAccounts, ...profile.attestedAccounts };
      expect(
        API_FIELDS.filter((kind) => knownInApi[kind] === true).map((kind) => NAMES[API_FIELDS.indexOf(kind)]),
      ).toEqual(expected);
      expect(Object.keys(profile.verifiedAccounts)).toHaveLength(counted.length);
      const { body } = await app.inject(`/c/${handle}`);
      expect(/no account proved/i.test(body)).toBe(proved.length === 0 && !hasNamespace);
      expect(/only a social or messaging account proved/i.test(body)).toBe(
        proved.length > 0 && counted.length === 0 && !hasNamespace,
      );
    },
  );
});
