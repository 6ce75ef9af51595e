import { beforeAll, describe, expect, it } from 'vitest';
import { replaceClock } from '../../../../testing/clock.ts';
import { useConsole } from '../../../../testing/console/console-harness.ts';
import { type FurnishedConsole, furnishConsole } from '../../../../testing/console/furnish-console.ts';

const world = useConsole();
let furnished: FurnishedConsole;
beforeAll(async () => {
  await replaceClock(world.database);
  furnished = await furnishConsole(world.database);
});

const open = async (url: string) =>
  (await world.app.inject({ url, headers: { cookie: furnished.owner } })).body;
const rowsOf = (body: string) =>
  [...(body.split('id="rows"')[1]?.split('</table>')[0] ?? '').matchAll(/<tr>.*?<\/tr>/gs)].slice(1);
const cells = (row: string) =>
  [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
    cell.replaceAll(/<span class="note.*/gs, '').replaceAll(/<[^>]*>/g, ''),
  );
const nextOf = (body: string) =>
  /rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? null;

describe('the usage page', () => {
  it('shows every call of the month once over its pages, with equal sums in chart and balances', async () => {
    let [calls, credits] = [0, 0];
    for (let url: string | null = '/console/usage'; url !== null; ) {
      const body: string = await open(url);
      for (const [row] of rowsOf(body)) {
        const [, , , made = '', cost = ''] = cells(row);
        calls += Number(made.match(/^\d+/)?.[0]);
        credits += cost === 'free' ? 0 : Number(cost);
      }
      url = nextOf(body);
    }
    const body = await open('/console/usage');

    expect(body).toContain(`${calls} calls, 1 failed`);
    const sums = [...(body.split('class="sums"')[1] ?? '').matchAll(/<tr>.*?<\/tr>/gs)]
      .slice(1)
      .map(([row]) => cells(row));
    const figures = sums.map((row) => row.slice(1).map((text) => Number(text.replace(',', ''))));
    expect(figures).toHaveLength(5);
    for (const [granted = 0, used = 0, held = 0, left] of figures) expect(granted - used - held).toBe(left);
    const [free, ...paid] = figures.map(([, used = 0]) => used);
    expect(paid.reduce((sum, used) => sum + used, 0)).toBe(credits);
    expect(calls).toBeGreaterThan(free ?? 0);
  });

  it('is filtered by days, operation, key and source, also in the file', async () => {
    const filter = `from=2026-11-10&to=2026-11-16&operation=agent_score&key=${furnished.keyId}&source=gifted`;

    const page = await open(`/console/usage?${filter}`);
    const days = [...page.matchAll(/scope="rowgroup"[^>]*>(\d+)/g)].map(([, day]) => Number(day));
    const rows = rowsOf(page).map(([row]) => cells(row));

    expect(days).toEqual([16, 15]);
    expect(rows.length).toBeGreaterThanOrEqual(days.length);
    for (const [operation, key, source] of rows) {
      expect([operation, key, source]).toEqual(['Agent score', 'ci …x9Qd', 'Gifted']);
    }
    const file = await world.app.inject({
      url: `/console/usage.csv?${filter}`,
      headers: { cookie: furnished.owner },
    });
    expect(file.headers['content-disposition']).toBe('attachment; filename="usage.csv"');
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.body.trim().split('\r\n')).toHaveLength(rows.length + 1);
  });

  it.each([
    'from=2026-11-31&to=never&operation=x&key=y&source=z',
    'from=2026-11-16&to=2026-11-10',
    'from=2999-01-01',
    'from=2000-01-01&to=2026-11-20',
    'operation=%3Cscript%3Ealert(1)%3C/script%3E',
    'key=3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55',
  ])('shows the page for invalid or unusual filters (%s)', async (query) => {
    const page = await world.app.inject({
      url: `/console/usage?${query}`,
      headers: { cookie: furnished.owner },
    });

    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('<script>');
  });

  it('rejects a cursor of another list', async () => {
    const { statusCode } = await world.app.inject({
      url: '/console/usage?cursor=x',
      headers: { cookie: furnished.owner },
    });

    expect(statusCode).toBe(400);
  });
});

describe('receipts', () => {
  it('are listed once each over their pages, and filtered by operation and state', async () => {
    const ids: string[] = [];
    for (let url: string | null = '/console/receipts'; url !== null; ) {
      const body: string = await open(url);
      ids.push(
        ...[...body.matchAll(/href="\/console\/receipts\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id),
      );
      url = nextOf(body);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(51);

    const failed = await open('/console/receipts?operation=agent_score&state=failed');
    expect([...failed.matchAll(/receipts\/([0-9a-f-]{36})/g)].map(([, id]) => id)).toEqual([
      furnished.failedId,
    ]);
    expect(await open('/console/receipts?state=reserved')).toContain('No call matches');
  });

  it('state what was charged, and that a failed call was free', async () => {
    expect(await open(`/console/receipts/${furnished.settledId}`)).toMatch(
      /Charged.*\d+ credits.*ci.*…x9Qd|ci.*…x9Qd.*Charged/s,
    );
    expect(await open(`/console/receipts/${furnished.failedId}`)).toContain('Nothing was charged');
  });

  it('of another account look like unknown ones', async () => {
    const person = await world.signIn();

    for (const id of [furnished.settledId, '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55', 'x', '%00']) {
      expect((await person.get(`/console/receipts/${id}`)).statusCode).toBe(404);
    }
  });
});
