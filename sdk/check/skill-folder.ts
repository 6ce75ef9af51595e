import { type CheckItem, type FileItems, repositoryOf, type SourceFile, skippedItem } from './item.ts';
import { objectOf, textOf } from './json-source.ts';
import { parseYamlSource } from './yaml-source.ts';

/** Git checkout that contains a folder. */
export interface Checkout {
  /** Content of the file `.git/config`. */
  readonly config: string;
  /** Path of the folder within the repository; empty for the root. */
  readonly path: string;
}

/**
 * Creates an item for the skill of a `SKILL.md`. The directory identifies a skill by repository and path. Both come
 * from the git checkout that contains the file. Without a checkout that has a remote, the repository is taken from the
 * front matter, which is only a claim.
 */
export function readSkill(source: SourceFile, checkout: Checkout | null): FileItems {
  const front = frontMatter(source.text);
  const stated = [front, objectOf(front.metadata)].flatMap(({ repository, source: from, homepage, url }) =>
    [repository, from, homepage, url].map((each) => textOf(each) ?? textOf(objectOf(each).url)),
  );
  const remote = checkout && remoteOf(checkout.config);
  const cloned = remote ? repositoryOf(remote) : null;
  const [named] = stated.flatMap((address) => (address && repositoryOf(address)) || []);
  const at = { file: source.path, line: 1 };
  const label = `skill:${textOf(front.name) ?? source.path}`;
  if (cloned === null && remote) return one(skippedItem(label, 'from a git repository of another host', at));
  const subject = cloned && checkout?.path ? `${cloned}/${checkout.path}` : (cloned ?? named ?? null);
  if (subject === null) return one(skippedItem(label, 'names no repository', at));
  const version = textOf(front.version) ?? textOf(objectOf(front.metadata).version) ?? null;
  return one({
    label: subject,
    name: subject,
    subject,
    version,
    skipped: null,
    isClaimed: cloned === null,
    ...at,
  });
}

const one = (item: CheckItem): FileItems => ({ items: [item], local: 0 });

function frontMatter(text: string): Readonly<Record<string, unknown>> {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text) ?? [];
  if (yaml === undefined) return {};
  try {
    return Object.fromEntries(parseYamlSource(yaml)().map(({ key, value }) => [key, value]));
  } catch {
    // Descriptions often contain a colon, which makes the YAML invalid. Simple members can still be read line by line.
    return Object.fromEntries(
      [...yaml.matchAll(/^([\w-]+):[ \t]*["']?(.*?)["']?[ \t]*\r?$/gm)].map(([, key, value]) => [key, value]),
    );
  }
}

/** Returns the URL of the remote `origin` or, without it, of the first remote. */
function remoteOf(config: string): string | null {
  const remotes = [...config.matchAll(/^\s*\[remote "([^"\n]+)"\]([^[]*)/gm)].flatMap(
    ([, name, body = '']) => {
      const address = /^\s*url\s*=\s*(\S+)/m.exec(body)?.[1];
      return address ? [{ name, address }] : [];
    },
  );
  return (remotes.find(({ name }) => name === 'origin') ?? remotes[0])?.address ?? null;
}
