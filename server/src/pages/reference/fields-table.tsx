import type { Field } from './fields-of.ts';
import { MarkdownLine } from './markdown.tsx';

interface FieldsTableProps {
  fields: readonly Field[];
  /** Where addresses name them: what their anchors begin with. */
  prefix?: string;
  label: string;
  /** Of an answer: what need not be there is told, of a request what must be. */
  isAnswer?: boolean;
}

/** The members of a body, or the parameters of a call. */
export function FieldsTable({ fields, prefix, label, isAnswer = false }: FieldsTableProps) {
  return (
    <table class="params">
      <caption class="hidden">{label}</caption>
      <tbody>
        {fields.map(({ name, type, required, description, limits }) => (
          <tr key={name} id={prefix && `${prefix}-${name}`}>
            <th scope="row">
              <code>{name}</code>
              {required !== isAnswer && <span class="note">{isAnswer ? 'not always' : 'required'}</span>}
            </th>
            <td>
              {description !== '' && <MarkdownLine text={description} />}
              <span class="note">
                <MarkdownLine text={[type, ...limits].join(' · ')} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
