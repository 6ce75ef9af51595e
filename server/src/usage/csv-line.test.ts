import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv-line.ts';

/** The fields of one line, as RFC 4180 has them read. */
function read(line: string): string[] {
  const fields = [...`${line.slice(0, -2)},`.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/g)];
  return fields.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

describe('a line of CSV', () => {
  it('is read back as it was written, whatever the text holds', () => {
    const text = fc
      .string({ unit: fc.constantFrom(...'a,";\r\n\'= é') })
      .filter((each) => !/(?:^|[;\r\n])[\s'"]*=/.test(each));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (fields) => {
        expect(read(csvLine(fields))).toEqual(fields);
      }),
    );
  });

  it('ends in CRLF, and leaves a field empty where there is nothing', () => {
    expect(csvLine(['a', null, 12, ''])).toBe('a,,12,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', "'=1", '＝1+1', '=HYPERLINK("https://evil.example","x")'])(
    'holds no formula: %s',
    (text) => {
      expect(read(csvLine([text]))).toEqual([`'${text}`]);
      expect(csvLine([text])).toMatch(/^"'/);
    },
  );

  it.each([
    ['x;=1+1;y', "x;'=1+1;y"],
    ["x; '=1+1", "x;' '=1+1"],
    ['x\t+1', "x\t'+1"],
    ['\t=1', "\t'=1"],
    ['x\n=1\r\n-2', "x\n'=1\r\n'-2"],
    ['=1;＝2', "'=1;'＝2"],
    [';;@a', ";;'@a"],
    ['x;"=1+1', 'x;\'"=1+1'],
  ])('holds none where it is split at semicolons, tabs or lines either: %j', (text, guarded) => {
    expect(read(csvLine([text]))).toEqual([guarded]);
    const cells = csvLine(['a', text]).split(/[;\t\r\n]/);
    expect(cells.filter((cell) => /^[\s"]*[=+\-@＝]/.test(cell))).toEqual([]);
  });

  it('leaves numbers below zero and words with signs inside as they are', () => {
    expect(csvLine([-1, 'a=b', 'x-y'])).toBe('-1,a=b,x-y\r\n');
  });
});
