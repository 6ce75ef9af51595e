import { writeFile } from 'node:fs/promises';
import { lookUpOnline } from '../../check/look-up-items.ts';
import { type NamedAnswer, writeSnapshot } from '../../check/snapshot.ts';
import { type CallOptions, type Change, changesOf, type TrustDirectory } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { paragraph } from '../text/layout.ts';

/** Retries per request. The service limits requests per minute, and says how long to wait. */
const MAX_RETRIES = 10;
const REGISTRIES: readonly string[] = ['npm', 'pypi'];

/** Writes everything that the directory lists to a file, for `check --offline`. Free, without a key. */
export const snapshot: Command = {
  name: 'snapshot',
  argument: 'FILE',
  argumentCount: [1, 1],
  summary: 'Write the whole directory to a file, to check projects offline. Free.',
  details: [
    'The file has every listing, creator, account and skill inside a repository, and the packages of the listings with their advisories. With check --offline FILE, nothing is sent. A name that the file lacks was not listed: check then does not know it, and does not pass it.',
    'The service limits requests per minute, so that a large directory takes some minutes.',
  ],
  options: {},
  examples: [
    ['trust-directory snapshot directory.ndjson', 'Write the file, where there is a network'],
    ['trust-directory check . --policy recommended --offline directory.ndjson', 'Check a project with it'],
  ],
  async run({ words: [file = ''], output, signal, client }) {
    const service = await client();
    const options = { signal, maxRetries: MAX_RETRIES };
    // The file states the time before the first read, so that it never claims to be newer than its content.
    const startedAt = new Date();
    const answers = await readDirectory(service, options);
    await writeFile(file, writeSnapshot(answers, startedAt, true)).catch(
      ({ code }: NodeJS.ErrnoException) => {
        throw new CommandError(EXIT.usage, `The file ${file} can't be written (${code}).`);
      },
    );
    const packages = answers.filter((answer) => answer.package !== null).length;
    const result = {
      file,
      exported_at: startedAt.toISOString(),
      subjects: answers.length - packages,
      packages,
    };
    output.result(result, (shown, page) =>
      paragraph(`${shown.subjects} subjects and ${shown.packages} packages are in ${shown.file}.`, page),
    );
    return EXIT.ok;
  },
};

/** Reads everything that is listed, then looks up each listing and its packages as `check` does. */
async function readDirectory(
  client: TrustDirectory,
  options: CallOptions & { signal: AbortSignal },
): Promise<NamedAnswer[]> {
  const found = new Map<string, Change>();
  const query = { snapshot: true, kinds: 'listing,score,verdict,removal', limit: 100 } as const;
  for await (const change of changesOf(client).list(query, options)) {
    const id = change.canonical_id ?? '';
    if (change.removed) found.delete(id);
    else found.set(id, change);
  }
  const agents = [...found.values()].flatMap(({ agent }) => agent ?? []);
  const packages = agents.flatMap((agent) =>
    (agent.packages ?? []).flatMap(({ registry, name }) =>
      REGISTRIES.includes(registry) ? [`${registry}:${name}`] : [],
    ),
  );
  const asked = [...new Set([...agents.map(({ id }) => id), ...packages])];
  const results = await lookUpOnline(client, options)(asked);
  const urls = new Map(agents.map(({ id, repositoryUrl }) => [id, repositoryUrl]));
  const lookedUp = asked.map((subject): NamedAnswer => {
    const result = results.get(subject);
    if (result === undefined) throw new Error('every subject has a result');
    if ('failure' in result) throw result.failure;
    const { record } = result;
    const url = urls.get(subject);
    const names =
      record && url ? [record.canonical_id, url, ...(record.repository ? [record.repository] : [])] : [];
    return { ...result, names };
  });
  const others = [...found.values()].flatMap(({ subject }): NamedAnswer[] => {
    if (!subject) return [];
    const handle = /^\/c\/([^/]+)$/.exec(subject.public_path)?.[1];
    const names = handle === undefined ? [] : [`@${decodeURIComponent(handle)}`];
    return [{ subject: subject.canonical_id, status: 'found', record: subject, package: null, names }];
  });
  return [...lookedUp, ...others];
}
