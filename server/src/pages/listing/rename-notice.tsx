import { Foreign } from '../../ui/text.tsx';
import type { ListingPage } from './listing-page-data.ts';

/** Leads from an old name to the new one, and tells anyone who came by an old name that this is it. */
export function RenameNotice({ page: { newest, askedAs, subject } }: { page: ListingPage }) {
  if (newest !== null) {
    return (
      <p class="notice">
        {newest.stated ? 'This repository is now called ' : 'This is very likely an old name of '}
        <a href={newest.path}>
          <Foreign>{newest.text}</Foreign>
        </a>
        .
      </p>
    );
  }
  if (askedAs === undefined) return null;
  return (
    <p class="notice">
      <Foreign>{askedAs}</Foreign> is now called <Foreign>{subject.repository}</Foreign>.
    </p>
  );
}
