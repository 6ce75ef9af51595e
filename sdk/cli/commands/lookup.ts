import type { SubjectRecord } from '../../src/index.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { SUBJECT_TYPES } from '../known-words.ts';
import { textOf } from '../read-command-line.ts';
import { scoreFields, timeText } from '../show-score.ts';
import { type Field, fieldLines, type Page, paragraph } from '../text/layout.ts';

type Type = NonNullable<Parameters<import('../../src/index.ts').Subjects['lookup']>[1]>['type'];

/** Who or what a name means, and the stored score. Free, without a key. */
export const lookup: Command = {
  name: 'lookup',
  takes: '<anything>',
  count: [1, 1],
  summary: 'Who or what a name, handle, repository, package, URL or id means, and the stored score. Free.',
  options: { type: { value: 'TYPE', words: SUBJECT_TYPES, means: 'leave out any other type' } },
  examples: [
    ['trust-directory lookup google-gemini/gemini-cli', 'A repository'],
    ['trust-directory lookup npm:@upstash/context7-mcp', 'A package'],
    ['trust-directory lookup x:example --type social_account', 'An account'],
    ['trust-directory lookup owner/repo --json | jq .trustScore', 'For a script'],
  ],
  async run({ words: [subject = ''], options, output, signal, client }) {
    const { subjects } = await client();
    const type = textOf(options, 'type') as Type;
    const record = await subjects.lookup(subject, { type }, { signal });
    output.result(record, subjectLines);
    return EXIT.ok;
  },
};

/** A subject's record in lines. */
export function subjectLines(record: SubjectRecord, page: Page): string[] {
  const fields: Field[] = [
    ['type', record.type],
    ...optional('repository', record.repository),
    ...scoreFields(record),
    ...optional('scored', record.score_version && timeText(record.score_version)),
    ...optional('directory', record.agent_id),
    ['page', record.public_path],
    ['id', record.canonical_id],
  ];
  return [...paragraph(record.name, page, 'bold'), ...fieldLines(fields, page)];
}

/** A field that is left out where nothing is known. */
export function optional(label: string, value: string | null | undefined): Field[] {
  return value ? [[label, value]] : [];
}
