import { expect, it } from 'vitest';
import { changesOf, followChanges } from './changes.ts';
import { TrustDirectory } from './client.ts';
import { GoneError } from './errors/api-errors.ts';

const CURSORS = ['b', 'c', 'd'];

/** Creates a client of a service with three pages, and records the queries that it gets. */
function served() {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    const { search } = new URL(url);
    asked.push(search);
    const cursor = CURSORS[asked.length - 1] ?? 'd';
    const nextCursor = asked.length < 3 ? cursor : null;
    return Response.json({ data: [{ agent_id: cursor }], nextCursor, cursor });
  };
  return { asked, client: new TrustDirectory({ baseUrl: 'https://trust.example', apiKey: null, fetch }) };
}

it('a list iterates over what was published, with the filters of the first page', async () => {
  const { asked, client } = served();

  const ids: unknown[] = [];
  for await (const { agent_id } of changesOf(client).list({ kinds: 'score' })) ids.push(agent_id);

  expect(ids).toEqual(CURSORS);
  expect(asked).toEqual(['?kinds=score', '?kinds=score&cursor=b', '?kinds=score&cursor=c']);
});

it('following goes on from the last cursor when nothing more was published, until it is aborted', async () => {
  const { asked, client } = served();
  const stop = new AbortController();

  const follow = async () => {
    for await (const _page of followChanges(client, { cursor: 'a' }, { pauseMs: 0, signal: stop.signal }))
      if (asked.length === 5) stop.abort(new Error('enough'));
  };

  await expect(follow()).rejects.toMatchObject({ name: 'AbortError' });
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'd'].map((cursor) => `?cursor=${cursor}`));
});

it('a cursor whose changes are not kept is a GoneError that says where to start again', async () => {
  const cursor = 'WyI0ZjlhMjcxMC0wYzViLTRlMWQtOWQzNi1hMmI3YzhlNWYwMTEiLCI5MTQwMiIsIjAiXQ';
  const restart = { snapshot: '/api/changes?snapshot=true&limit=100', cursor };
  const body = { error: 'cursor_expired', message: 'Too old.', status: 410, ...restart };
  const fetch = async () => Response.json(body, { status: 410 });
  const client = new TrustDirectory({ baseUrl: 'https://trust.example', apiKey: null, fetch });

  const error = await changesOf(client)
    .list({ cursor: 'old' })
    .catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(GoneError);
  expect(JSON.parse((error as GoneError).body)).toMatchObject(restart);
});
