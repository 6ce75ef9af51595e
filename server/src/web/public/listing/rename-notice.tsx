import { ForeignText } from '../../components/formatting.tsx';
import type { ListingPage } from './listing-view.tsx';

/** Links from an old name to the new one, and tells visitors who used an old name that it changed. */
export function RenameNotice({ page: { newest, requestedName, subject } }: { page: ListingPage }) {
  if (newest !== null) {
    return (
      <p class="notice">
        {newest.stated ? 'This repository is now called ' : 'This is very likely an old name of '}
        <a href={newest.path}>
          <ForeignText>{newest.text}</ForeignText>
        </a>
        .
      </p>
    );
  }
  if (requestedName === undefined) return null;
  return (
    <p class="notice">
      <ForeignText>{requestedName}</ForeignText> is now called <ForeignText>{subject.repository}</ForeignText>
      .
    </p>
  );
}
