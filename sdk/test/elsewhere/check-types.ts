import { createRequire } from 'node:module';
import { missing, type Skip } from './binary-of.ts';

const require = createRequire(import.meta.url);

/** What the judge of packages' types offers, as far as it is used here; it is installed for the long tests alone. */
interface Judge {
  createPackageFromTarballData(tarball: Uint8Array): unknown;
  checkPackage(
    contents: unknown,
    options: { excludeEntrypoints: string[] },
  ): Promise<{ problems?: unknown[] }>;
}

/** What is wrong with the types of a packed package, for every way of importing it. */
export async function checkTypes(tarball: Uint8Array, skip: Skip): Promise<unknown[] | undefined> {
  const judge = await loadJudge(skip);
  // The contract is a document to read, not a module.
  const options = { excludeEntrypoints: ['./openapi.yaml', './openapi.json'] };
  return (await judge.checkPackage(judge.createPackageFromTarballData(tarball), options)).problems;
}

async function loadJudge(skip: Skip): Promise<Judge> {
  try {
    return (await import(require.resolve('@arethetypeswrong/core'))) as Judge;
  } catch {
    return missing('@arethetypeswrong/core', skip);
  }
}
