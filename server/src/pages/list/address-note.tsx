import { describeDelisting } from '../../subjects/delisted.ts';
import type { Addressed, Pointer } from '../../subjects/find-addressed.ts';
import type { Naming } from '../../subjects/naming.ts';
import { publicRepository } from '../../subjects/public-path.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { Foreign, toWords } from '../../ui/text.tsx';

interface AddressNoteProps {
  addressed: Addressed;
  hasResults: boolean;
  naming: Naming;
}

/** What an address in the search box was understood as, where it doesn't lead to exactly one page; what is beneath it. */
export function AddressNote({ addressed, hasResults, naming }: AddressNoteProps) {
  const { address, subjects, delisted } = addressed;
  const text = toText(address, naming);
  return (
    <div class="notice">
      {subjects.length > 0 ? (
        <Candidates subjects={subjects} text={text} />
      ) : (
        <p>
          {delisted ? (
            <Foreign>{describeDelisting(delisted)}</Foreign>
          ) : (
            <Unknown what={WHAT[address.kind]} text={text} />
          )}
        </p>
      )}
      {hasResults && (
        <p>
          Search results for <Foreign>{wordsOf(address)}</Foreign>:
        </p>
      )}
    </div>
  );
}

/** What to search for in place of an address: the last part of it, which is the name. */
export function wordsOf(address: Pointer): string {
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
        Several entries have the name <Foreign>{text}</Foreign>:
      </p>
      <ul>
        {subjects.map(({ id, type, name, repository, publicPath }) => (
          <li key={id}>
            <a href={publicPath}>
              <Foreign>{name}</Foreign>
            </a>{' '}
            <span class="muted small">
              {toWords(type)} <Foreign>{repository ?? publicPath}</Foreign>
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
      No {what} <Foreign>{text}</Foreign> in the directory yet.
    </>
  );
}

const WHAT: Readonly<Record<Pointer['kind'], string>> = {
  repository: 'listing for',
  package: 'listing for',
  id: 'entry with the id',
  handle: 'creator or account',
};

/** As the directory itself writes it. */
function toText(address: Pointer, naming: Naming): string {
  switch (address.kind) {
    case 'repository':
      return address.host === null
        ? address.repository
        : `${publicRepository({ ...address, host: address.host }, naming)}`;
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
