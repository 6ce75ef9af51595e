import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './usage-csv.ts';

/** Parses the fields of one line as RFC 4180 requires. */
function read(line: string): string[] {
  const fields = [...`${line.slice(0, -2)},`.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/g)];
  return fields.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

describe('a line of CSV', () => {
  it('round-trips any text', () => {
    const text = fc
      .string({ unit: fc.constantFrom(...'a,";\r\n\'= é') })
      .filter((each) => !/(?:^|[;\r\n])[\s'"]*=/.test(each));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (fields) => {
        expect(read(csvLine(fields))).toEqual(fields);
      }),
    );
  });

  it('ends with CRLF, and has empty fields for null', () => {
    expect(csvLine(['a', null, 12, ''])).toBe('a,,12,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', "'=1", '＝1+1', '=HYPERLINK("https://evil.example","x")'])(
    'neutralizes the formula %s',
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
  ])('neutralizes formulas after semicolons, tabs and line breaks: %j', (text, guarded) => {
    expect(read(csvLine([text]))).toEqual([guarded]);
    const cells = csvLine(['a', text]).split(/[;\t\r\n]/);
    expect(cells.filter((cell) => /^[\s"]*[=+\-@＝]/.test(cell))).toEqual([]);
  });

  it('does not change negative numbers and words that contain signs', () => {
    expect(csvLine([-1, 'a=b', 'x-y'])).toBe('-1,a=b,x-y\r\n');
  });
});
