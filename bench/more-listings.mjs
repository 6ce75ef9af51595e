import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Kinds of rows that an import reads from a folder of listings. */
export const KINDS = ['listings', 'creators', 'artifacts', 'relations'];

/**
 * Writes `count` listings, made from those of a folder, with their creators, artifacts and relations. Each round repeats all of
 * them with other owners, ids and packages, so that every run writes the same files. Returns the paths of the files.
 */
export async function makeListings(from, count, to) {
  const counted = await rowsOf(join(from, 'listings.ndjson'));
  const rounds = Math.ceil(count / counted);
  const paths = [];
  for (const kind of KINDS) {
    const path = join(to, `${kind}.ndjson`);
    const file = createWriteStream(path);
    let left = kind === 'listings' ? count : Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) {
      for await (const line of linesOf(join(from, `${kind}.ndjson`))) {
        if (left-- <= 0) break;
        const text = round === 0 ? line : JSON.stringify(MAKERS[kind](JSON.parse(line), renamer(round)));
        if (!file.write(`${text}\n`)) await once(file, 'drain');
      }
    }
    file.end();
    await once(file, 'finish');
    paths.push(path);
  }
  return paths;
}

const MAKERS = {
  listings: (row, { own, owned, id }) => ({
    ...row,
    name: own(row.name),
    repository: owned(row.repository),
    repoUrl: row.repoUrl?.replace(/^(https?:\/\/[^/]+\/)([^/]+)/, (_, host, owner) => host + own(owner)),
    githubRepoId: id(row.githubRepoId),
    parentRepository: owned(row.parentRepository),
    formerRepositories: row.formerRepositories.map(owned),
    probablyRenamedTo: owned(row.probablyRenamedTo),
    npmPackage: own(row.npmPackage),
    pypiPackage: own(row.pypiPackage),
  }),
  creators: (row, { own }) => ({
    ...row,
    handle: own(row.handle),
    handleVariants: row.handleVariants.map(own),
  }),
  artifacts: (row, { own, owned }) => ({
    ...row,
    repository: owned(row.repository),
    npmPackage: own(row.npmPackage),
    pypiPackage: own(row.pypiPackage),
  }),
  relations: (row, { owned }) => ({ ...row, from: owned(row.from), to: owned(row.to) }),
};

/** Creates the functions that rename names and ids for a round. */
function renamer(round) {
  const own = (name) => name && `${name}-r${round}`;
  const owned = (repository) => repository?.replace(/^[^/]+/, own);
  const id = (text) => text && `${text}${String(round).padStart(4, '0')}`;
  return { own, owned, id };
}

function linesOf(path) {
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

async function rowsOf(path) {
  let rows = 0;
  for await (const _ of linesOf(path)) rows += 1;
  return rows;
}
