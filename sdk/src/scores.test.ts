import { describe, expect, it } from 'vitest';
import { TrustDirectory } from './client.ts';
import { NotFoundError } from './errors/public-errors.ts';
import { scoresOf } from './scores.ts';

const ID = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';

/** Makes the methods for a service that answers by path and query, and the list of its requests. */
function servedBy(answer: (url: URL) => Response) {
  const asked: string[] = [];
  const fetch = async ({ url }: Request) => {
    const parsed = new URL(url);
    asked.push(parsed.pathname + parsed.search);
    return answer(parsed);
  };
  const client = new TrustDirectory({ baseUrl: 'https://trust.example', maxRetries: 0, fetch });
  return { asked, scores: scoresOf(client) };
}

describe('the methods about scores', () => {
  it('iterate over all pages of a history, with its filters', async () => {
    const { asked, scores } = servedBy(({ searchParams }) =>
      Response.json(
        searchParams.has('cursor')
          ? { data: [{ trustScore: 1 }], nextCursor: null }
          : { data: [{ trustScore: 3 }, { trustScore: 2 }], nextCursor: 'next' },
      ),
    );
    const read: number[] = [];

    for await (const { trustScore } of scores.history(ID, { limit: 2 })) read.push(trustScore);

    expect(read).toEqual([3, 2, 1]);
    expect(asked).toEqual([
      `/api/subjects/${ID}/history?limit=2`,
      `/api/subjects/${ID}/history?limit=2&cursor=next`,
    ]);
  });

  it('name the scores to explain and to compare by their times', async () => {
    const { asked, scores } = servedBy(() => Response.json({ subject: { canonical_id: ID } }));
    const from = '2026-10-24T06:12:44.019273Z';

    await scores.explain(ID);
    await scores.explain(ID, { score_version: from });
    await scores.difference(ID, { from });

    const time = encodeURIComponent(from);
    expect(asked).toEqual([
      `/api/subjects/${ID}/explain`,
      `/api/subjects/${ID}/explain?score_version=${time}`,
      `/api/subjects/${ID}/difference?from=${time}`,
    ]);
  });

  it('reject with the error of the service, and with one for a page that is no answer', async () => {
    const missing = servedBy(() => Response.json({ error: 'not_found', message: 'No.' }, { status: 404 }));
    const proxy = servedBy(() => Response.json({ hello: 'world' }));

    await expect(missing.scores.explain(ID)).rejects.toBeInstanceOf(NotFoundError);
    await expect(proxy.scores.difference(ID)).rejects.toThrow('Unexpected response');
  });
});
