import { SEARCH_WEIGHTS } from '../../../catalog/listings/search-weights.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { NO_SOURCE_LINKS } from '../../../directory/explanations/signal-sources.ts';
import { METHOD } from '../../../scoring/embedded/current-method.ts';
import { signalLabel, signalNote } from '../../../scoring/explanations/signal-labels.ts';
import type { Contribution } from '../../../scoring/scoring-backend.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import { readValidation, type ValidationReport } from '../../../scoring/validation/validation-report.ts';
import { REASON_RULES, REASONS, type ReasonCode } from '../../../scoring/verdict/reasons.ts';
import { formatPercent, formatScore, toWords } from '../../components/formatting.tsx';
import { Layout, renderDocument, TableHead } from '../../components/layout.tsx';
import { TierChip } from '../../components/score-figures.tsx';
import { absoluteUrl } from '../frame/page-dependencies.ts';
import { WhySection } from '../score/why-section.tsx';
import { AttacksSection, MethodsSection } from './method-changes.tsx';
import { computeExamples, Result, signalsOf, Unclaimed } from './method-examples.tsx';
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

/** Renders the content of the page about the scoring method. The scoring code computes the examples. */
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
          Observations age: each counts half after {METHOD.repository.frame.observationHalfLife} days, those
          of stars, forks, contributors and licence after {METHOD.repository.stars.observationHalfLife}{' '}
          (creators and accounts: half for confidence after {METHOD.observationHalfLife} days). A score is
          valid for {METHOD.validForDays} days.
        </li>
        <li>No trust reaches 100. Nothing here is an endorsement, and no score can be bought.</li>
      </ul>
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
        weighted by <i>w</i> for creators and accounts. For agents and skills, it is weighted by <i>e</i> as{' '}
        <i>n′</i> counts it, and <i>n</i> is <i>n′</i>.
      </p>
      <dl class="facts">
        <Term name="trust">{`100 · (${strength} · ${mean} + n · x̄) / (${strength} + n)`}</Term>
        <Term name="confidence">{`100 · n′ / (n′ + ${strength}) · √coverage`}</Term>
        <Term name="lower bound">
          {`100 · max(0, T − ${METHOD.lowerBoundZ} · √(T · (1 − T) / (n′ + ${strength + 1}))), T = trust / 100`}
        </Term>
        <Term name="coverage">observed weight / applicable weight</Term>
        <Term name="n′">{`sum of the evidence, with that of each observation halved every ${METHOD.repository.frame.observationHalfLife} days, or ${METHOD.repository.stars.observationHalfLife} (creators and accounts: ${METHOD.observationHalfLife})`}</Term>
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

/** Shows the phrases of verdicts, each with its rule. */
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

/** Renders the HTML document about the scoring method; omits the validation if none was published. */
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

const { field, synonym, need, needed, allWords, length, fitPower, base, trust } = SEARCH_WEIGHTS;
const { named, direction, displaced, near, subject } = SEARCH_WEIGHTS;
const { needs, expected } = SEARCH_WEIGHTS.lesserNeeds;

/** Places where a listing may contain a word of the search, each with the fit of that word. */
const PLACES = [
  ['in its name', field.name],
  ['in its tags or category', field.tag],
  ['in its description', field.text],
  [
    "only in its creator's name, in artifacts inside the repository, or as the beginning of a longer word",
    field.weak,
  ],
] as const;

/** Explains how the search ranks, with the weights that it uses. */
function SearchSection() {
  return (
    <section class="card" aria-labelledby="search">
      <h2 id="search">How the search ranks</h2>
      <p class="prose">
        A text that is the name of a listing, <code>owner/repository</code> or one typing error away from it
        leads to that listing. Any other text is a need. Its listings are sorted by
      </p>
      <p>
        <code>
          fit<sup>{fitPower}</sup> × brevity × nearness × ({base} + popularity + {trust} × trust × confidence)
        </code>
      </p>
      <ul class="prose">
        <li>
          <b>Fit</b> is the average over the words of the text of how well each fits, by the table below. A
          synonym counts {synonym} of the word. A listing with all words gets × {allWords}. It is found if it
          has at least {need * 100} % of the weight of the words, or of the {needed} heaviest of more. Where
          fewer than {expected} such listings are expected, less is enough, down to {Math.min(...needs) * 100}{' '}
          %.
        </li>
        <li>
          A word weighs more if few listings have it, and more if those have it in their names and tags: then
          it is a topic and not a filler. Where hardly any listing has a word, those with its synonyms count,
          too. A word that has synonyms, alone or with its neighbours, weighs × {subject}. The category of a
          listing does not count for this. Words such as “the” and “best” carry nothing.
        </li>
        <li>
          <b>Brevity</b> is ({length.words} / ({length.words} + words))<sup>{length.power}</sup>, with the
          number of words in all texts of the listing: a listing with many words has some of those of the text
          by chance. It is 1 for a listing whose name is the whole text.
        </li>
        <li>
          <b>Nearness</b> is {near.least} + {1 - near.least} × share<sup>{near.power}</sup>. The share is the
          part of the words, by weight, within {near.words} adjacent words of the name, the description or the
          tags: large collections have most words somewhere. It is computed for the first fifty matches of
          several words, as they are without it, and not for long texts. It is 1 for a listing whose name is
          the whole text.
        </li>
        <li>
          <b>Popularity</b> grows with the logarithm of the stars. Each fork vouches for at most 100 stars,
          because bought stars bring no forks. Where stars are not known, downloads of a confirmed package and
          lists count instead, for at most 0.35. Being named by several lists adds up to 0.05.
        </li>
        <li>
          A listing whose name is the whole text gets × {named}. Of texts such as “pdf to markdown”, listings
          that convert in that direction get × {direction.same}, and those in the other one ×{' '}
          {direction.other}. Old names, copies and listings with a warning get × {displaced}.
        </li>
      </ul>
      <table>
        <TableHead of={['The listing has the word', ['Fit', 'n']]} />
        <tbody>
          {PLACES.map(([place, worth]) => (
            <tr key={place}>
              <th scope="row">{place}</th>
              <td class="n">{worth}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
