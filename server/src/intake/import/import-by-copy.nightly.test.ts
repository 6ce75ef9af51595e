import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { registryState } from '../../../testing/import/registry-state.ts';
import { artifact, creator, listing, type Row, relation } from '../../../testing/import/rows.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});

afterEach(() => work.close());

const ODD_TEXTS = ['C:\\new\\table', '\\N', '"quoted", {braced}', "it's", '长描述 🧲', 'null', '\\', ''];
const LISTED = 130;

/** Returns more rows of each kind than are sent as values, with texts that COPY escapes. */
function oddRows(): Row[][] {
  const numbers = Array.from({ length: LISTED }, (_, number) => number);
  const odd = (number: number) => ODD_TEXTS[number % ODD_TEXTS.length] ?? '';
  const listings = numbers.map((number) =>
    listing(`owner${number % 90}/name${number}`, {
      name: `Name \\${number}`,
      description: odd(number),
      tags: [odd(number), '{,}', '"'].filter((tag) => tag !== ''),
      stars: number % 3 === 0 ? null : number,
      npmPackage: number % 5 === 0 ? `package-${number % 50}` : null,
      githubRepoId: number % 7 === 0 ? `${1000 + number}` : null,
      formerRepositories: number % 11 === 0 ? [`former/name${number}`] : [],
      parentRepository: number === 80 ? 'owner3/name3' : null,
      parentRelation: number === 80 ? 'fork_of' : null,
      extra: { [odd(number)]: [null, odd(number)] },
    }),
  );
  const creators = numbers
    .slice(0, 90)
    .map((number) => creator(`owner${number}`, { displayName: `Maker ${number}` }));
  const artifacts = numbers.map((number) =>
    artifact(`owner${number % 9}/name${number % 9}`, `part${number}`, { description: odd(number) }),
  );
  return [listings, creators, artifacts, [relation('fork_of', 'owner5/name5', 'owner6/name6')]];
}

async function storeBy(count: number): Promise<Record<string, unknown[]>> {
  for (const rows of oddRows())
    for (let start = 0; start < rows.length; start += count)
      await work.store(...rows.slice(start, start + count));
  return registryState(work.database);
}

/** Replaces the workspace by one with the listings, and returns these. */
async function openWithListings(): Promise<Row[]> {
  const [listings = []] = oddRows();
  await work.close();
  work = await createImportWorkspace({ imported: listings });
  return listings;
}

describe('rows in large batches', () => {
  it('give the same registry as in small ones, which are sent as values', async () => {
    const copied = await storeBy(LISTED);
    await work.close();
    work = await createImportWorkspace();
    const sent = await storeBy(30);

    expect(copied.listings).toHaveLength(LISTED);
    expect(copied).toEqual(sent);
  });

  it('have their score at once, and the ranking shows it', async () => {
    await openWithListings();

    const [counted] = await work.database.query(`SELECT count(DISTINCT v.subject_id) AS subjects,
      count(*) FILTER (WHERE v.version = s.current_version) AS current,
      count(*) FILTER (WHERE k.score_version = v.version AND k.trust = v.trust AND k.confidence = v.confidence
        AND k.tier = v.tier) AS ranked
      FROM score v JOIN subject s ON s.id = v.subject_id LEFT JOIN listing_rank k ON k.subject_id = v.subject_id
      WHERE s.type <> 'creator'`);
    expect(counted).toEqual({ subjects: LISTED, current: LISTED, ranked: LISTED });
  });

  it('write nothing the second time, except a changed row', async () => {
    const listings = await openWithListings();
    const before = await registryState(work.database);

    const again = await work.store(...listings);
    const after = await registryState(work.database);
    const changed = await work.store(...listings.slice(1), { ...listings[0], stars: 77 });

    expect(again.kinds.listing).toMatchObject({ added: 0, changed: 0, unchanged: LISTED });
    expect(after).toEqual(before);
    expect(changed.kinds.listing).toMatchObject({ added: 0, changed: 1, unchanged: LISTED - 1 });
  });
});
