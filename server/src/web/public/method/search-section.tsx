import { SEARCH_WEIGHTS } from '../../../catalog/listings/search-weights.ts';
import { TableHead } from '../../components/layout.tsx';

const { field, synonym, need, needed, allWords, fitPower, base, trust, named, direction, displaced } =
  SEARCH_WEIGHTS;

/** Places where a listing may have a word, each with the fit of the word. */
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
export function SearchSection() {
  return (
    <section class="card" aria-labelledby="search">
      <h2 id="search">How the search ranks</h2>
      <p class="prose">
        A text that is the name of a listing, <code>owner/repository</code> or one typing error away from it
        leads to that listing. Any other text is a need. Its listings are sorted by
      </p>
      <p>
        <code>
          fit<sup>{fitPower}</sup> × ({base} + popularity + {trust} × trust × confidence)
        </code>
      </p>
      <ul class="prose">
        <li>
          <b>Fit</b> is the average over the words of the text of how well each fits, by the table below. A
          synonym counts {synonym} of the word. A listing with all words gets × {allWords}. It is found if it
          has at least {need * 100} % of the weight of the words, or of the {needed} heaviest of more.
        </li>
        <li>
          A word weighs more if few listings have it, and more if those have it in their names and tags: then
          it is a topic and not a filler. Words such as “the” and “best” carry nothing.
        </li>
        <li>
          <b>Popularity</b> grows with the logarithm of the stars. Each fork vouches for at most 100 stars,
          because bought stars bring no forks. Where stars are not known, downloads of a confirmed package and
          lists count, for at most a third.
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
