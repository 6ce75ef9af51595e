import { ATTACKS, effectOf } from '../../../scoring/embedded/attacks.ts';
import { METHOD } from '../../../scoring/embedded/current-method.ts';
import { RS_1_0_0 } from '../../../scoring/embedded/method-rs-1.0.0.ts';
import { RS_2_0_0 } from '../../../scoring/embedded/method-rs-2.0.0.ts';
import { signalLabel } from '../../../scoring/explanations/signal-labels.ts';
import { formatConfidence, formatScore, formatTrust, toWords } from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';
import { EXAMPLES_OF_BOTH_METHODS } from './method-examples.tsx';

/** A change from rs-1.0.0 to rs-2.0.0. The table in `docs/method-changes.md` has the same rows. */
interface MethodChange {
  readonly change: string;
  readonly forWhom: string;
  readonly effect: string;
}

export const CHANGES: readonly MethodChange[] = [
  {
    change:
      'new signals: package, vulnerabilities, provenance, releases, contributors, Scorecard, policy, lists, namespace of the owner',
    forWhom: 'listings whose facts were read',
    effect: 'more confidence; trust depends on them',
  },
  {
    change: 'if nobody has claimed the listing, its owner counts as unknown, no longer as unverified',
    forWhom: 'nearly all listings',
    effect: 'trust nearer to 35, confidence lower',
  },
  {
    change: 'an unknown text no longer counts as absent',
    forWhom: 'nearly all listings',
    effect: 'trust is not lowered',
  },
  {
    change: 'the mean is weighted by evidence, not by weight alone',
    forWhom: 'all agents and skills',
    effect: 'uncertain facts move trust less',
  },
  {
    change: 'old observations count less for trust too, not only for confidence',
    forWhom: 'listings that were read long ago',
    effect: 'trust nearer to 35',
  },
  {
    change:
      'the stars that count are also limited by the age of the repository; commits of a young repository count less',
    forWhom: 'new repositories',
    effect: 'bought stars gain less',
  },
  {
    change:
      'observations of stars, forks, contributors and licence count half after a year, other observations after 180 days',
    forWhom: 'listings that were read long ago',
    effect: 'old observations move trust for longer',
  },
  {
    change: 'a licence that only a list states is half the evidence',
    forWhom: 'listings whose host was not read',
    effect: 'trust about 1 point lower',
  },
  {
    change: "a list's statement that a repository is archived, deprecated or not maintained counts",
    forWhom: 'listings whose last commit is unknown or was read long ago',
    effect: 'trust about 10 points lower',
  },
  {
    change: 'cap for malware in the published version',
    forWhom: 'listings whose package has it',
    effect: 'trust at most 5',
  },
  {
    change: 'if the stars are unknown, downloads count instead, now for agents too',
    forWhom: 'published packages',
    effect: 'usage counts without stars',
  },
  {
    change: 'coverage is the share of all 20 signals that is known',
    forWhom: 'little-known listings',
    effect: 'lower confidence',
  },
  {
    change: "a creator's known accounts never lower trust",
    forWhom: 'creators',
    effect: 'otherwise scored as before',
  },
];

/** Returns the weights of the signals of agents and skills in rs-1.0.0 and rs-2.0.0; null if rs-1.0.0 lacks a signal. */
function weightsOfBoth(): { signal: string; weights: readonly (number | null)[] }[] {
  const tables: readonly Readonly<Record<string, unknown>>[] = [RS_1_0_0.repository, RS_2_0_0.repository];
  const weightOf = (entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'weight' in entry ? Number(entry.weight) : null;
  return Object.keys(RS_2_0_0.repository)
    .map((signal) => ({ signal, weights: tables.map((table) => weightOf(table[signal])) }))
    .filter(({ weights }) => weights.some((weight) => weight !== null));
}

/** Compares both published methods: changes and whom they affect, scores of the same facts, and weights. */
export function MethodsSection() {
  const versions = [RS_1_0_0.version, RS_2_0_0.version];
  return (
    <section class="card" aria-labelledby="methods">
      <h2 id="methods">Both methods</h2>
      <p class="prose">
        New scores are made by {METHOD.version}. Scores of {RS_1_0_0.version} stay in the history with their
        inputs.
      </p>
      <h3>What changed, and for whom</h3>
      <table>
        <TableHead of={['Change', 'Effect']} />
        <tbody>
          {CHANGES.map(({ change, forWhom, effect }) => (
            <tr key={change}>
              <th scope="row">
                {change}
                <span class="note">for {forWhom}</span>
              </th>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>The same facts in both methods</h3>
      <table>
        <TableHead of={['Facts', ...versions.map((version): [string, string] => [version, 'n'])]} />
        <tbody>
          {EXAMPLES_OF_BOTH_METHODS.map(({ name, scores }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {scores.map(({ methodVersion, trust, confidence }) => (
                <td key={methodVersion} class="n">
                  {formatTrust(trust)} / {formatConfidence(confidence)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Weights of agents and skills</h3>
      <table>
        <TableHead of={['Signal', ...versions.map((version): [string, string] => [version, 'n'])]} />
        <tbody>
          {weightsOfBoth().map(({ signal, weights }) => (
            <tr key={signal}>
              <th scope="row">{signalLabel(signal) ?? toWords(signal)}</th>
              {weights.map((weight, place) => (
                <td key={versions[place]} class="n">
                  {weight ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Shows the cost and gain of attempts to manipulate a score, and the rules that limit the gain. */
export function AttacksSection() {
  return (
    <section class="card" aria-labelledby="attacks">
      <h2 id="attacks">What manipulation gains</h2>
      <p class="prose">
        Each row scores invented facts before and after an attempt. A test checks that each gain or loss stays
        below a limit.
      </p>
      <table>
        <TableHead of={['Attempt', ['Trust', 'n'], ['Confidence', 'n']]} />
        <tbody>
          {ATTACKS.map((attack) => {
            const { trust, confidence } = effectOf(attack);
            return (
              <tr key={attack.name}>
                <th scope="row">
                  {attack.name}
                  <span class="note">Cost: {attack.cost}</span>
                  <span class="note">{attack.defence}</span>
                </th>
                <td class="n">{trust.map(formatScore).join(' → ')}</td>
                <td class="n">{confidence.map(formatScore).join(' → ')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
