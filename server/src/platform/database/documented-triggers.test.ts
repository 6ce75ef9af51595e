import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../package-files.ts';

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const SCHEMA = readFileSync(packageFile('schema.sql'), 'utf8');

const TRIGGER =
  /^CREATE (?:CONSTRAINT )?TRIGGER (\w+) [^;]*?\sON\s+(\w+)\s[^;]*?\bEXECUTE\s+FUNCTION\s+(\w+)\(/gm;

/** Lists the triggers of a schema as `table trigger function`. */
function triggersOf(schema: string): string[] {
  return [...schema.matchAll(TRIGGER)].map(([, trigger, table, call]) => `${table} ${trigger} ${call}`);
}

const COLUMNS = 5;
const names = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** Lists the triggers that a document's rows name. A row with several tables and triggers names each on each. */
function triggersIn(document: string): string[] {
  const [, section = ''] = document.split(/^## Triggers$/m);
  return section.split('\n').flatMap((line) => {
    const cells = line.split('|').slice(1, -1);
    const [tables = [], triggers = [], functions = []] = cells.map(names);
    if (cells.length !== COLUMNS) return [];
    return triggers.flatMap((trigger) => tables.map((table) => `${table} ${trigger} ${functions.join()}`));
  });
}

describe('the triggers of the schema', () => {
  it('are those that README.md lists, each once', () => {
    const found = triggersOf(SCHEMA);

    expect(triggersIn(README).sort()).toEqual(found.sort());
    expect(found).toHaveLength(SCHEMA.match(/\bTRIGGER \w+ (BEFORE|AFTER|INSTEAD)/g)?.length ?? 0);
    expect(found.length).toBeGreaterThan(50);
  });

  it('are each described by what they guarantee and why they are triggers', () => {
    const [, section = ''] = README.split(/^## Triggers$/m);
    const empty = section
      .split('\n')
      .filter(
        (line) => line.startsWith('| `') && line.split('|').some((cell, n) => n > 3 && n < 6 && !cell.trim()),
      );

    expect(empty).toEqual([]);
  });
});

describe('the comparison', () => {
  const SAMPLE = `CREATE TRIGGER kept BEFORE DELETE OR UPDATE ON run FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER told AFTER UPDATE OF "a", b ON run
  FOR EACH ROW
  WHEN (old.a IS DISTINCT FROM new.a)
  EXECUTE FUNCTION tell('1');`;

  it('reads short and long statements of the schema', () => {
    expect(triggersOf(SAMPLE)).toEqual(['run kept refuse', 'run told tell']);
  });

  it('reads rows of one trigger, and of several triggers that several tables have', () => {
    const rows = `
## Triggers
| table | trigger | function | what | why |
|---|---|---|---|---|
| \`run\` | \`kept\` | \`refuse\` | a | b |
| \`run\`, \`walk\` | \`added\`, \`gone\` | \`tell\` | a | b |`;

    expect(triggersIn(rows)).toEqual([
      'run kept refuse',
      'run added tell',
      'walk added tell',
      'run gone tell',
      'walk gone tell',
    ]);
  });
});
