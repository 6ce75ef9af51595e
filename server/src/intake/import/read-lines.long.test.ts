import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FilePosition, type Line, MAX_LINE_BYTES, readLines } from './read-lines.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lines-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function linesOf(content: string | Buffer, from?: FilePosition): Promise<Line[]> {
  const path = join(folder, 'file.ndjson');
  await writeFile(path, content);
  const lines: Line[] = [];
  for await (const line of readLines(path, from)) lines.push(line);
  return lines;
}

function brief(lines: readonly Line[]): string[] {
  return lines.map(({ number, text, problem }) => `${number} ${text ?? problem}`);
}

describe('readLines', () => {
  it('takes a byte order mark, CRLF, blank lines and a last line without its end as they come', async () => {
    const lines = await linesOf('\uFEFF{"a":1}\r\n\r\n   \n{"b":"ü"}\n\n{"c":3}');

    expect(brief(lines)).toEqual(['1 {"a":1}', '4 {"b":"ü"}', '6 {"c":3}']);
  });

  it('yields nothing for an empty file', async () => {
    expect(await linesOf('')).toEqual([]);
  });

  it('rejects a line that is not UTF-8 and continues', async () => {
    const lines = await linesOf(
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n{}\n')]),
    );

    expect(brief(lines)).toEqual(['1 not valid UTF-8', '2 {}']);
    expect(lines[0]?.excerpt.isWellFormed()).toBe(true);
  });

  it('rejects a line over a mebibyte and continues after it', async () => {
    const longest = `"${'x'.repeat(MAX_LINE_BYTES - 2)}"`;

    const lines = await linesOf(`${longest}\n${longest}x\n{}`);

    expect(lines.map(({ problem }) => problem)).toEqual([null, 'longer than 1048576 bytes', null]);
    expect(lines[1]?.excerpt).toHaveLength(300);
  });

  it('holds no more of an endless line than the maximum', async () => {
    const path = join(folder, 'endless.ndjson');
    await writeFile(path, '');
    await truncate(path, 80 * MAX_LINE_BYTES);
    const before = process.memoryUsage().arrayBuffers;

    const lines: Line[] = [];
    for await (const line of readLines(path)) lines.push(line);

    expect(lines).toHaveLength(1);
    // All chunks, if nothing has collected them yet. A line held as a whole would be as much again.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MAX_LINE_BYTES);
  });

  it('resumes from the end of any line as if it had read the lines before', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '🧲', ' ', '\r'), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 12 }), fc.boolean(), async (texts, ended) => {
        const content = texts.join('\n') + (ended ? '\n' : '');
        const all = await linesOf(content);
        for (const [index, line] of all.entries()) {
          expect(await linesOf(content, line.next)).toEqual(all.slice(index + 1));
        }
      }),
      { numRuns: 40 },
    );
  });
});
