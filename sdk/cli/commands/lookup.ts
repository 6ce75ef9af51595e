import type { SubjectRecord } from '../../src/index.ts';
import { SUBJECT_TYPES } from '../allowed-values.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { scoreFields, timeText } from '../format-score.ts';
import { textOption } from '../read-command-line.ts';
import { type Field, fieldLines, type Page, paragraph } from '../text/layout.ts';

type Type = NonNullable<Parameters<import('../../src/index.ts').Subjects['lookup']>[1]>['type'];

/** Finds a subject and shows its stored score. Free, without a key. */
export const lookup: Command = {
  name: 'lookup',
  argument: '<anything>',
  argumentCount: [1, 1],
  summary: 'Find a subject by name, handle, repository, package, URL or id, with its stored score. Free.',
  options: { type: { value: 'TYPE', words: SUBJECT_TYPES, description: 'ignore subjects of other types' } },
  examples: [
    ['trust-directory lookup google-gemini/gemini-cli', 'A repository'],
    ['trust-directory lookup npm:@upstash/context7-mcp', 'A package'],
    ['trust-directory lookup x:example --type social_account', 'An account'],
    ['trust-directory lookup owner/repo --json | jq .trustScore', 'For a script'],
  ],
  async run({ words: [subject = ''], options, output, signal, client }) {
    const { subjects } = await client();
    const type = textOption(options, 'type') as Type;
    const record = await subjects.lookup(subject, { type }, { signal });
    output.result(record, subjectLines);
    return EXIT.ok;
  },
};

/** Formats a subject's record. */
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

/** Returns a list of one field with this label and value; an empty list if the value is null, undefined or empty. */
export function optional(label: string, value: string | null | undefined): Field[] {
  return value ? [[label, value]] : [];
}
