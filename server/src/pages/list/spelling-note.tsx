import { Foreign } from '../../ui/text.tsx';
import { listAddress, type PageList } from './page-query.ts';

/** What was looked for besides what somebody wrote, as a link to it alone. */
export function SpellingNote({ list, didYouMean }: { list: PageList; didYouMean: string }) {
  return (
    <p class="notice" role="status">
      Also showing results for{' '}
      <a href={listAddress({ ...list, q: didYouMean })}>
        <Foreign>{didYouMean}</Foreign>
      </a>
      .
    </p>
  );
}
