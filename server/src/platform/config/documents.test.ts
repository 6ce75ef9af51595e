import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Variable } from './parsers.ts';
import { VARIABLES } from './settings.ts';

interface Documented {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
}

const documented: Documented[] = Object.entries<Variable<unknown>>(VARIABLES).map(
  ([name, { fallback, meaning }]) => ({ name, fallback, meaning }),
);

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Reads the pairs of a line `# meaning` and a line `# NAME=default`. */
function inExample(text: string): Documented[] {
  return [...text.matchAll(/^# (.+)\n#? ?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, meaning, name, fallback]) => ({
    name: name ?? '',
    fallback: fallback ?? '',
    meaning: meaning ?? '',
  }));
}

/** Reads the rows of the guide's tables: name, default or a dash, meaning. */
function inGuide(text: string): Documented[] {
  const section = /\n## Environment variables\n([\s\S]*?)(?:\n## |$)/.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \| (?:`(.+)`|–) \| (.+) \|$/gm)].map(
    ([, name, fallback, meaning]) => ({ name: name ?? '', fallback: fallback ?? '', meaning: meaning ?? '' }),
  );
}

describe('the environment variables', () => {
  it('are those of .env.example, with the same defaults and sentences, in the same order', () => {
    expect(inExample(read('../../../../.env.example'))).toEqual(documented);
  });

  it("are those of the operator's guide, with the same defaults and sentences, in the same order", () => {
    expect(inGuide(read('../../../docs/configure.md'))).toEqual(documented);
  });

  it('that limit requests have the defaults of the contract, in the same order', () => {
    const limits = documented.filter(({ name }) => name.startsWith('RATE_LIMIT_'));
    const contract = read('../../../../openapi.yaml').matchAll(/^ {4}\| .+ \| (\d+) a minute per .+ \|$/gm);

    expect([...contract].map(([, limit]) => limit)).toEqual(limits.map(({ fallback }) => fallback));
  });

  it('are named nowhere in .env.example but in those lines', () => {
    const assignments = read('../../../../.env.example').match(/^#? ?[A-Za-z_0-9]+=/gm) ?? [];

    expect(assignments).toHaveLength(documented.length);
  });

  it('each have one sentence and a default that is allowed itself', () => {
    for (const [name, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
      expect(variable.meaning, name).toMatch(/^[A-Z][^|\n]*\.$/);
      if (variable.unset === null || variable.fallback === '') continue;
      expect(variable.parse(variable.fallback), name).toEqual(variable.unset);
    }
  });
});
