import { json, NOT_FOUND, type StandInAnswer } from './stand-in-answer.ts';
import type { StandInRepository } from './stand-in-host-world.ts';

/**
 * Returns the answer to a path below a repository about its releases, contributors or folders, as each API documents
 * it; null for other paths.
 */
export function detailsAnswer(
  repository: StandInRepository,
  rest: readonly string[],
  url: URL,
): StandInAnswer | null {
  const { api, releases, contributors, files } = repository;
  if (api === 'bitbucket') return sourceAnswer(files, rest);
  const last = rest.at(-1);
  if (last === 'releases') {
    const list = releases.map((at) => ({ published_at: at, released_at: at }));
    return listOf(api, list.slice(0, 1), list.length, url);
  }
  if (last === 'contributors') {
    if (api === 'forgejo') return NOT_FOUND;
    if (contributors === null) return TOO_LARGE;
    return listOf(api, contributors === 0 ? [] : [{ id: 1 }], contributors, url);
  }
  const folder =
    api === 'gitlab' && last === 'tree'
      ? (url.searchParams.get('path') ?? '')
      : rest[0] === 'contents'
        ? rest.slice(1).join('/')
        : null;
  if (folder === null || folder in files) return null;
  const names = namesIn(Object.keys(files), folder);
  if (folder !== '' && names.length === 0) return NOT_FOUND;
  return json(names.map((name) => ({ name, path: folder === '' ? name : `${folder}/${name}` })));
}

/** Answers `/src/{commit}/{path}` of Bitbucket: a folder with whole paths, or the text of a file. */
function sourceAnswer(
  files: Readonly<Record<string, string>>,
  rest: readonly string[],
): StandInAnswer | null {
  const [kind, , ...parts] = rest;
  if (kind !== 'src') return null;
  const path = parts.filter(Boolean).join('/');
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  if (text !== undefined) return { status: 200, body: text };
  const names = namesIn(Object.keys(files), path);
  if (path !== '' && names.length === 0) return NOT_FOUND;
  const values = names.map((name) => ({ type: 'commit_file', path: path === '' ? name : `${path}/${name}` }));
  return json({ pagelen: 100, values, page: 1 });
}

const TOO_LARGE: StandInAnswer = {
  status: 403,
  body: '{"message":"The history or contributor list is too large to list contributors for this repository via the API."}',
};

/** Answers with one page of one item. GitHub links to the last page, and the others state the total in a header. */
function listOf(api: string, page: readonly object[], total: number, url: URL): StandInAnswer {
  const headers: Record<string, string> =
    api === 'github'
      ? total > 1
        ? { link: `<${linkTo(url, 2)}>; rel="next", <${linkTo(url, total)}>; rel="last"` }
        : {}
      : { [api === 'gitlab' ? 'x-total' : 'x-total-count']: String(total) };
  return { ...json(page), headers };
}

function linkTo(url: URL, page: number): string {
  const link = new URL(url);
  link.searchParams.set('page', String(page));
  return link.href;
}

function namesIn(paths: readonly string[], folder: string): string[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = paths.filter((path) => path.startsWith(prefix));
  return [...new Set(inside.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))];
}
