import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { NO_SOURCE_LINKS } from '../../../directory/explanations/signal-sources.ts';
import { METHOD } from '../../../scoring/embedded/current-method.ts';
import { signalLabel, signalNote } from '../../../scoring/explanations/signal-labels.ts';
import type { Contribution } from '../../../scoring/scoring-backend.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import { readValidation, type ValidationReport } from '../../../scoring/validation/validation-report.ts';
import { REASON_RULES, REASONS, type ReasonCode } from '../../../scoring/verdict/reasons.ts';
import {
  formatConfidence,
  formatPercent,
  formatScore,
  formatTrust,
  toWords,
} from '../../components/formatting.tsx';
import { Layout, renderDocument, TableHead } from '../../components/layout.tsx';
import { TierChip, TrustLine } from '../../components/trust-line.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import type { ScoreDetail } from '../score/score-detail.queries.ts';
import { WhySection } from '../score/why-section.tsx';
import { AttacksSection, MethodsSection } from './method-changes.tsx';
import { computeExamples, signalsOf } from './method-examples.ts';
import { SearchSection } from './search-section.tsx';
import { ValidationSection } from './validation-section.tsx';

const TABLES: readonly { type: SubjectType; title: string }[] = [
  { type: 'skill', title: 'Agents and skills' },
  { type: 'creator', title: 'Creators' },
  { type: 'social_account', title: 'Social and messaging accounts' },
];

/** Shows the signals of each subject type with their weights. */
function MethodTables({ signalsOf }: { signalsOf(type: SubjectType): Contribution[] }) {
  return (
    <>
      {TABLES.map(({ type, title }) => (
        <section key={type} class="card" aria-labelledby={`signals-${type}`}>
          <h2 id={`signals-${type}`}>{title}: signals</h2>
          <table>
            <TableHead of={['Signal', ['Weight', 'n']]} />
            <tbody>
              {signalsOf(type).map(({ signal, weight }) => (
                <tr key={signal}>
                  <th scope="row">
                    {signalLabel(signal) ?? toWords(signal)}
                    <span class="note">{signalNote(signal)}</span>
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

const inWords = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Renders the page about the scoring method, with all numbers and examples computed by the method itself. */
function MethodView({ validation }: { validation: ValidationReport | null }) {
  const { claimed, unclaimed } = computeExamples();
  return (
    <>
      <h1>How scores are made</h1>
      <p class="lead">
        A score is two numbers. <b>Trust</b> says what the evidence supports. <b>Confidence</b> says how much
        evidence there is. Method {METHOD.version} applies to everyone.
      </p>
      <div class="stack narrow">
        <Reading />
        <section class="card" aria-labelledby="example">
          <h2 id="example">A worked example</h2>
          <p class="prose">
            An invented skill: 300 days old, 40 stars, 6 forks, 2 open issues, a commit 10 days ago, an MIT
            licence. Its owner has proved the account that owns it, which is 1,200 days old, and an npm
            account.
          </p>
          <Result score={claimed} />
        </section>
        <WhySection score={claimed} places={{ ...NO_SOURCE_LINKS, apiPath: null }} />
        <Unclaimed claimed={claimed} unclaimed={unclaimed} />
        <section class="card" aria-labelledby="formula">
          <h2 id="formula">The formula</h2>
          <Formula />
        </section>
        <MethodTables signalsOf={signalsOf} />
        <Limits />
        <Words />
        <MethodsSection />
        <AttacksSection />
        {validation && <ValidationSection report={validation} />}
        <SearchSection />
      </div>
    </>
  );
}

function Reading() {
  return (
    <section class="card" aria-labelledby="reading">
      <h2 id="reading">How to read it</h2>
      <ul class="prose">
        <li>The dot is trust. The band around it shows the uncertainty: the narrower, the more certain.</li>
        <li>
          The lower bound of the band decides the <b>tier</b>: <TierChip tier="high" /> from{' '}
          {METHOD.tiers.high}, <TierChip tier="medium" /> from {METHOD.tiers.medium}, otherwise{' '}
          <TierChip tier="low" />. Low means little supporting evidence so far, not wrongdoing.
        </li>
        <li>
          A <b>missing</b> fact never counts as zero. It keeps trust nearer to the starting score of{' '}
          {formatScore(100 * METHOD.prior.mean)}, and lowers confidence.
        </li>
        <li>
          Scores of different types are never substituted: an agent, its creator and the creator's accounts
          each have their own score, from their own facts.
        </li>
        <li>
          Observations age: each counts half for confidence after{' '}
          {METHOD.repository.frame.observationHalfLife} days (creators and accounts:{' '}
          {METHOD.observationHalfLife} days). A score is valid for {METHOD.validForDays} days.
        </li>
        <li>No trust reaches 100. Nothing here is an endorsement, and no score can be bought.</li>
      </ul>
    </section>
  );
}

function Result({ score }: { score: ScoreDetail }) {
  return (
    <>
      <TrustLine trust={score.trust} lowerBound={score.lowerBound} />
      <p>
        <b>
          Trust {formatTrust(score.trust)} · Confidence {formatConfidence(score.confidence)}
        </b>{' '}
        · at least {formatTrust(score.lowerBound)} · <TierChip tier={score.tier} />
      </p>
    </>
  );
}

function Unclaimed({ claimed, unclaimed }: { claimed: ScoreDetail; unclaimed: ScoreDetail }) {
  const missing = unclaimed.contributions.filter(({ status }) => status === 'missing');
  const weight = missing.reduce((sum, contribution) => sum + contribution.weight, 0);
  return (
    <section class="card" aria-labelledby="unclaimed">
      <h2 id="unclaimed">Why unclaimed listings score low</h2>
      <p class="prose">
        Most listings come from public lists and are not claimed by their owners. This is the score of the
        same skill if only its stars and licence are known:
      </p>
      <Result score={unclaimed} />
      <p class="prose">
        These signals are missing:{' '}
        {inWords.format(missing.map(({ signal }) => (signalLabel(signal) ?? toWords(signal)).toLowerCase()))}{' '}
        ({formatPercent(weight / 100)} of the weight). Therefore trust stays near the starting score, and the
        band is wide. Once its owner registers it and proves the account that owns its repository, the same
        skill has trust {formatTrust(claimed.trust)} with confidence {formatConfidence(claimed.confidence)}.
      </p>
    </section>
  );
}

function Formula() {
  const { strength, mean } = METHOD.prior;
  return (
    <>
      <p class="prose">
        Each signal has a weight <i>w</i>, a value <i>x</i> from 0 to 1, and evidence <i>e</i>, which states
        how much it counts. <i>n</i> is the sum of the evidence. <i>x̄</i> is the mean of the observed values,
        weighted by <i>e</i> for agents and skills, and by <i>w</i> for creators and accounts.
      </p>
      <dl class="facts">
        <Term name="trust">{`100 · (${strength} · ${mean} + n · x̄) / (${strength} + n)`}</Term>
        <Term name="confidence">{`100 · n′ / (n′ + ${strength}) · √coverage`}</Term>
        <Term name="lower bound">
          {`100 · max(0, T − ${METHOD.lowerBoundZ} · √(T · (1 − T) / (n′ + ${strength + 1}))), T = trust / 100`}
        </Term>
        <Term name="coverage">observed weight / applicable weight</Term>
        <Term name="n′">{`n, with the evidence of each observation halved every ${METHOD.repository.frame.observationHalfLife} days (creators and accounts: ${METHOD.observationHalfLife})`}</Term>
      </dl>
      <p class="prose">
        A score is complete if coverage is at least {formatPercent(METHOD.coverage.complete)}, and partial if
        it is at least {formatPercent(METHOD.repository.frame.coverage.partial)} for agents and skills,{' '}
        {formatPercent(METHOD.coverage.partial)} for others. Below that, there is no score.
      </p>
    </>
  );
}

function Term({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{children}</code>
      </dd>
    </>
  );
}

function Limits() {
  return (
    <section class="card" aria-labelledby="limits">
      <h2 id="limits">Hard caps</h2>
      <table>
        <TableHead of={['Condition', ['Trust at most', 'n']]} />
        <tbody>
          {Object.entries(METHOD.caps).map(([cap, { limit }]) => (
            <tr key={cap}>
              <th scope="row">{signalLabel(cap) ?? toWords(cap)}</th>
              <td class="n">{formatScore(limit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Shows the rule behind each word of a verdict. */
function Words() {
  return (
    <section class="card" aria-labelledby="words">
      <h2 id="words">The words of a verdict</h2>
      <p class="prose">
        Each word has a rule. Words about activity are shown with the date of the last known commit.
      </p>
      <table>
        <TableHead of={['Words', 'Rule']} />
        <tbody>
          {Object.entries(REASON_RULES).map(([code, rule]) => (
            <tr key={code}>
              <th scope="row">{REASONS[code as ReasonCode].phrase}</th>
              <td>{rule}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/**
 * Renders the HTML document about the scoring method, with the result of the last published validation if there is
 * one.
 */
export function methodDocument(publicUrls: PublicUrls, validation = readValidation()): string {
  const title = 'How scores are made · Trust Directory';
  const url = absoluteUrl('/method', publicUrls);
  const description = 'How trust and confidence are computed, with every weight and a worked example.';
  return renderDocument(
    <Layout title={title} canonical={url} openGraph={{ url, description }}>
      <MethodView validation={validation} />
    </Layout>,
  );
}
