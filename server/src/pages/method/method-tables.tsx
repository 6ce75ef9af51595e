import type { Contribution } from '../../scoring/scoring-backend.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';
import { Columns } from '../../ui/columns.tsx';
import { toWords } from '../../ui/text.tsx';
import { noteOfSignal } from '../score/signal-notes.ts';
import { nameOfSignal } from '../score/signal-words.ts';

const TABLES: readonly { type: SubjectType; title: string }[] = [
  { type: 'skill', title: 'Agents and skills' },
  { type: 'creator', title: 'Creators' },
  { type: 'social_account', title: 'Social and messaging accounts' },
];

/** Every signal of every type with its weight. */
export function MethodTables({ signalsOf }: { signalsOf(type: SubjectType): Contribution[] }) {
  return (
    <>
      {TABLES.map(({ type, title }) => (
        <section key={type} class="card" aria-labelledby={`signals-${type}`}>
          <h2 id={`signals-${type}`}>{title}: what is read</h2>
          <table>
            <Columns of={['Signal', ['Weight', 'n']]} />
            <tbody>
              {signalsOf(type).map(({ signal, weight }) => (
                <tr key={signal}>
                  <th scope="row">
                    {nameOfSignal(signal) ?? toWords(signal)}
                    <span class="note">{noteOfSignal(signal)}</span>
                  </th>
                  <td class="n">{weight}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}
