import type { AddressMatch, UniqueAddress } from '../../../catalog/subjects/find-by-address.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import { publicRepository } from '../../../catalog/subjects/public-path.ts';
import { describeDelisting, type ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { ForeignText, toWords } from '../../components/formatting.tsx';

interface AddressNoteProps {
  addressed: AddressMatch;
  hasResults: boolean;
  publicUrls: PublicUrls;
}

/** Explains how an address in the search box was read if it does not resolve to exactly one page. */
export function AddressNote({ addressed, hasResults, publicUrls }: AddressNoteProps) {
  const { address, subjects, delisted } = addressed;
  const text = toText(address, publicUrls);
  return (
    <div class="notice">
      {subjects.length > 0 ? (
        <Candidates subjects={subjects} text={text} />
      ) : (
        <p>
          {delisted ? (
            <ForeignText>{describeDelisting(delisted)}</ForeignText>
          ) : (
            <Unknown what={ENTRY_PHRASES[address.kind]} text={text} />
          )}
        </p>
      )}
      {hasResults && (
        <p>
          Search results for <ForeignText>{searchWordsOf(address)}</ForeignText>:
        </p>
      )}
    </div>
  );
}

/** Returns the search words for an address: its last part, which is the name. */
export function searchWordsOf(address: UniqueAddress): string {
  switch (address.kind) {
    case 'repository':
      return lastPart(address.repository);
    case 'package':
      return lastPart(address.label.replace(/^[^:]+:/, ''));
    case 'handle':
      return address.handle;
    case 'id':
      return address.id;
  }
}

function Candidates({ subjects, text }: { subjects: readonly ResolvedSubject[]; text: string }) {
  return (
    <>
      <p>
        Several entries have the name <ForeignText>{text}</ForeignText>:
      </p>
      <ul>
        {subjects.map(({ id, type, name, repository, publicPath }) => (
          <li key={id}>
            <a href={publicPath}>
              <ForeignText>{name}</ForeignText>
            </a>{' '}
            <span class="muted small">
              {toWords(type)} <ForeignText>{repository ?? publicPath}</ForeignText>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Unknown({ what, text }: { what: string; text: string }) {
  return (
    <>
      No {what} <ForeignText>{text}</ForeignText> in the directory yet.
    </>
  );
}

const ENTRY_PHRASES: Readonly<Record<UniqueAddress['kind'], string>> = {
  repository: 'listing for',
  package: 'listing for',
  id: 'entry with the id',
  handle: 'creator or account',
};

/** Formats an address as the directory writes it. */
function toText(address: UniqueAddress, publicUrls: PublicUrls): string {
  switch (address.kind) {
    case 'repository':
      return address.host === null
        ? address.repository
        : `${publicRepository({ ...address, host: address.host }, publicUrls)}`;
    case 'package':
      return address.label;
    case 'handle':
      return address.host === null ? `@${address.handle}` : `${address.host}:${address.handle}`;
    case 'id':
      return address.id.toUpperCase().startsWith('AGT-') ? address.id.toUpperCase() : address.id;
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
