/** Third-party client generator, called as its own documentation says. */
export interface Generator {
  /** The command in `node_modules/.bin`, and the name of its program in `programs/`. */
  name: string;
  command: string;
  /**
   * Arguments of the command. It runs in a folder with `openapi.json` and the generators' configurations; the output is
   * called `client`.
   */
  args: readonly string[];
}

/** Generators, all with their default options. */
export const GENERATORS: readonly Generator[] = [
  { name: 'orval', command: 'orval', args: ['--input', './openapi.json', '--output', './client.ts'] },
  { name: 'oazapfts', command: 'oazapfts', args: ['openapi.json', 'client.ts'] },
  { name: 'kubb', command: 'kubb', args: ['generate', '--config', 'kubb.config.mjs'] },
  {
    name: 'swagger-typescript-api',
    command: 'swagger-typescript-api',
    args: ['generate', '--path', 'openapi.json', '--output', '.', '--name', 'client.ts'],
  },
  { name: 'openapi-codegen', command: 'openapi-codegen', args: ['gen', 'directory'] },
  {
    name: 'openapi-typescript',
    command: 'openapi-typescript',
    args: ['openapi.json', '--output', 'client.ts'],
  },
];
