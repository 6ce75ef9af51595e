import { readFileSync } from 'node:fs';

/** What a process of Node is started with (`NODE_OPTIONS`) to note in a file what it imports; `require` is not seen. */
export function recordLoads(file: string): string {
  const hooks = `import { appendFileSync } from 'node:fs';
    export const load = (url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + '\\n'), next(url, context));`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`;
  return `--import=${asUrl(register)}`;
}

function asUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** The packages that were imported, without those that they bring, each once and sorted. */
export function packagesIn(file: string): string[] {
  const names = readFileSync(file, 'utf8').match(/(?<=\/node_modules\/)(?:@[^/\n]+\/)?[^/\n]+/g) ?? [];
  return [...new Set(names)].sort();
}
