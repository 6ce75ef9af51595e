import { createRequire } from 'node:module';
import { missing, type Skip } from './binary-of.ts';

const require = createRequire(import.meta.url);

/** Parts of the API of `@arethetypeswrong/core` that this file uses. The package is installed only for the long tests. */
interface Judge {
  createPackageFromTarballData(tarball: Uint8Array): unknown;
  checkPackage(
    contents: unknown,
    options: { excludeEntrypoints: string[] },
  ): Promise<{ problems?: unknown[] }>;
}

/** Returns the problems of a package's types, for every way to import it. */
export async function checkTypes(tarball: Uint8Array, skip: Skip): Promise<unknown[] | undefined> {
  const judge = await loadJudge(skip);
  // The contract and the schema of policies are documents, not modules.
  const options = { excludeEntrypoints: ['./openapi.yaml', './openapi.json', './policy.schema.json'] };
  return (await judge.checkPackage(judge.createPackageFromTarballData(tarball), options)).problems;
}

async function loadJudge(skip: Skip): Promise<Judge> {
  try {
    return (await import(require.resolve('@arethetypeswrong/core'))) as Judge;
  } catch {
    return missing('@arethetypeswrong/core', skip);
  }
}
