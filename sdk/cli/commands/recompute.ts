import { isDeepStrictEqual } from 'node:util';
import { METHODS } from '../../../server/src/scoring/embedded/current-method.ts';
import { scoreByMethod } from '../../../server/src/scoring/embedded/embedded-backend.ts';
import type { Facts } from '../../../server/src/scoring/fact-types.ts';
import type { SubjectType } from '../../../server/src/scoring/subject-type.ts';
import { decodeScore, type ScoreDocument, VerificationError } from '../../src/verify.ts';
import type { Command } from '../command.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { readSignedScore } from '../score-file.ts';
import { fieldLines, type Page, paragraph } from '../text/layout.ts';

/** Difference between a value of the document and the recomputed value. */
interface Difference {
  readonly name: string;
  readonly signed: unknown;
  readonly computed: unknown;
}

/** Result of recomputing a score. */
interface Recomputed {
  readonly subject: ScoreDocument['subject'];
  readonly method: string;
  readonly trust: number;
  readonly confidence: number;
  readonly same: boolean;
  readonly differences: readonly Difference[];
}

/** Recomputes a signed score from its inputs, offline, with the code of the published methods. */
export const recompute: Command = {
  name: 'recompute',
  argument: '<file>',
  argumentCount: [1, 1],
  summary: 'Compute a signed score again from its inputs, offline, and compare.',
  details: [
    `Methods: ${METHODS.map(({ version }) => version).join(', ')}. The file is one of "verify", which checks the signature; this command checks only that the scores, contributions and caps follow from the inputs. Nothing is sent.`,
  ],
  options: {},
  examples: [
    ['trust-directory recompute score.jws', 'A signed score'],
    ['trust-directory recompute run.json --json | jq .differences', 'For a script'],
  ],
  async run({ words: [file = ''], output }) {
    const document = documentOf(await readSignedScore(file));
    const { method, source, subject } = document;
    if (method === 'remote')
      throw new CommandError(
        EXIT.undecided,
        `The score is from another backend (${source}), whose method is not known here. It was signed as received and can't be computed again.`,
      );
    const known = METHODS.find(({ version }) => version === method);
    if (!known)
      throw new CommandError(
        EXIT.undecided,
        `This version does not know the method ${method}. Update the command line: it knows ${METHODS.map(({ version }) => version).join(', ')}.`,
      );
    const computed = computedOf(document, known);
    const differences = differencesOf(document, computed);
    const { trust, confidence } = computed.scores as { trust: number; confidence: number };
    const result = { subject, method, trust, confidence, same: differences.length === 0, differences };
    output.result<Recomputed>(result, recomputedLines);
    return result.same ? EXIT.ok : EXIT.invalid;
  },
};

function documentOf(jws: string): ScoreDocument {
  try {
    return decodeScore(jws).document;
  } catch (error) {
    if (error instanceof VerificationError)
      throw new CommandError(EXIT.invalid, `No signed score (${error.code}): ${error.message}`);
    throw error;
  }
}

/** Computes those parts of a document that its inputs determine. */
function computedOf(
  { sub, inputs, scored_at: scoredAt, subject }: ScoreDocument,
  method: (typeof METHODS)[number],
): Record<string, unknown> {
  const { name, repository } = subject;
  const type = inputs.subjectType as SubjectType;
  try {
    const score = scoreByMethod(
      {
        operation: 'recompute',
        runId: null,
        subject: { id: sub, type, name, repository },
        facts: inputs.facts as unknown as Facts,
        now: new Date(scoredAt),
      },
      method,
    );
    return {
      inputs_hash: `sha256:${score.inputsHash}`,
      contributions: score.contributions.map(({ observedAt, ...rest }) => ({
        ...rest,
        observed_at: observedAt,
      })),
      caps: score.caps.map(({ cap, ...rest }) => ({ ...rest, name: cap })),
      scores: {
        trust: score.trust,
        confidence: score.confidence,
        lower_bound: score.lowerBound,
        tier: score.tier,
        own_trust: score.ownTrust,
        own_confidence: score.ownConfidence,
        coverage: score.coverage,
        status: score.status,
      },
    };
  } catch {
    throw new CommandError(EXIT.invalid, `The inputs are not those of a score by ${method.version}.`);
  }
}

/** Lists the members of the document, and of its scores, that differ from the recomputed values. */
function differencesOf(document: ScoreDocument, computed: Record<string, unknown>): Difference[] {
  const { scores, ...others } = computed as { scores: Record<string, unknown> };
  const signedScores = document.scores as Readonly<Record<string, unknown>>;
  const signed = document as unknown as Readonly<Record<string, unknown>>;
  return [
    ...Object.keys(scores).map((name) => ({ name, signed: signedScores[name], computed: scores[name] })),
    ...Object.entries(others).map(([name, value]) => ({ name, signed: signed[name], computed: value })),
  ].filter((each) => !isDeepStrictEqual(each.signed, each.computed));
}

function recomputedLines(
  { subject, method, trust, confidence, same, differences }: Recomputed,
  page: Page,
): string[] {
  const shown = (value: unknown) => (typeof value === 'object' ? 'another list' : String(value));
  return [
    ...paragraph(subject.name, page, 'bold'),
    ...fieldLines(
      [
        ['method', method],
        ['trust', `${trust}`],
        ['confidence', `${confidence}`],
        ['result', same ? 'the same as signed' : 'not as signed'],
        ...differences.map(({ name, signed, computed }): [string, string] => [
          name,
          typeof computed === 'object' ? 'differs' : `signed ${shown(signed)}, computed ${shown(computed)}`,
        ]),
      ],
      page,
    ),
  ];
}
