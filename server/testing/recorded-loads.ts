import { readFileSync } from 'node:fs';

/** Returns the `NODE_OPTIONS` with which a process writes the URLs of its imports to a file; `require` is not recorded. */
export function recordLoads(file: string): string {
  const hooks = `import { appendFileSync } from 'node:fs';
    export const load = (url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + '\\n'), next(url, context));`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`;
  return `--import=${asUrl(register)}`;
}

function asUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** Lists the imported packages, without their nested dependencies, unique and sorted. */
export function packagesIn(file: string): string[] {
  const names = readFileSync(file, 'utf8').match(/(?<=\/node_modules\/)(?:@[^/\n]+\/)?[^/\n]+/g) ?? [];
  return [...new Set(names)].sort();
}
