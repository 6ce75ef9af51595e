import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import { Columns } from '../../ui/columns.tsx';
import { formatConfidence, formatPercent, formatScore, formatTrust, toWords } from '../../ui/text.tsx';
import { TierChip } from '../../ui/tier-chip.tsx';
import { TrustLine } from '../../ui/trust-line.tsx';
import type { ScoreDetail } from '../score/score-detail.ts';
import { nameOfSignal } from '../score/signal-words.ts';
import { NO_REPOSITORY } from '../score/sources.ts';
import { WhySection } from '../score/why-section.tsx';
import { signalsOf, workExamples } from './method-example.ts';
import { MethodTables } from './method-tables.tsx';

const inWords = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** How scores are made, with every number read from the method itself and its examples worked out by it. */
export function MethodView() {
  const { claimed, unclaimed } = workExamples();
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
          <h2 id="example">One score, worked out</h2>
          <p class="prose">
            An invented skill: 300 days old, 40 stars, 6 forks, 2 open issues, a commit 10 days ago, an MIT
            licence. Its owner has proved the account that holds it and an npm account, and has been there for
            1,200 days.
          </p>
          <Result score={claimed} />
        </section>
        <WhySection score={claimed} places={{ ...NO_REPOSITORY, apiPath: null }} />
        <Unclaimed claimed={claimed} unclaimed={unclaimed} />
        <section class="card" aria-labelledby="formula">
          <h2 id="formula">The formula</h2>
          <Formula />
        </section>
        <MethodTables signalsOf={signalsOf} />
        <Limits />
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
          Observations age: after {METHOD.observationHalfLife} days, one counts half for confidence. A score
          is valid for {METHOD.validForDays} days.
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
        same skill where only its stars and licence are known:
      </p>
      <Result score={unclaimed} />
      <p class="prose">
        These signals are missing:{' '}
        {inWords.format(missing.map(({ signal }) => (nameOfSignal(signal) ?? toWords(signal)).toLowerCase()))}
        ({formatPercent(weight / 100)} of the weight). So trust stays near the starting score, and the band is
        wide. Once its owner registers it and proves the account that holds it, the same work has trust{' '}
        {formatTrust(claimed.trust)} with confidence {formatConfidence(claimed.confidence)}.
      </p>
    </section>
  );
}

function Formula() {
  const { strength, mean } = METHOD.prior;
  return (
    <>
      <p class="prose">
        Each signal has a weight <i>w</i>, a value <i>x</i> from 0 to 1, and evidence <i>e</i>, which says how
        much it tells. <i>x̄</i> is the mean of the observed values by weight, <i>n</i> the sum of their
        evidence.
      </p>
      <dl class="facts">
        <Term name="trust">{`100 · (${strength} · ${mean} + n · x̄) / (${strength} + n)`}</Term>
        <Term name="confidence">{`100 · n′ / (n′ + ${strength}) · √coverage`}</Term>
        <Term name="lower bound">
          {`100 · (T − ${METHOD.lowerBoundZ} · √(T · (1 − T) / (n′ + ${strength + 1}))), T = trust / 100`}
        </Term>
        <Term name="coverage">weight observed / weight that applies</Term>
        <Term name="n′">{`n, each observation halved every ${METHOD.observationHalfLife} days of its age`}</Term>
      </dl>
      <p class="prose">
        A score is complete if coverage is at least {formatPercent(METHOD.coverage.complete)}, and partial if
        it is at least {formatPercent(METHOD.coverage.partial)}. Below that, there is no score.
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
        <Columns of={['Where', ['Trust at most', 'n']]} />
        <tbody>
          {Object.entries(METHOD.caps).map(([cap, { limit }]) => (
            <tr key={cap}>
              <th scope="row">{nameOfSignal(cap) ?? toWords(cap)}</th>
              <td class="n">{formatScore(limit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
