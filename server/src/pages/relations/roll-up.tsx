import { SAME_FILE } from '../../directory/relations/relations.ts';
import { Foreign, formatCount, Moment } from '../../ui/text.tsx';
import type { PageRelations } from './page-relations.ts';

/** How much of a repository is word for word elsewhere, and where that was first. */
export function RollUp({ relations, own }: { relations: PageRelations; own: string }) {
  const group = relations.groups.find(({ kind, ofFiles }) => kind === SAME_FILE && ofFiles);
  if (!group) return null;
  const elsewhere = relations.firstSeen.filter(({ id }) => id !== own);
  const here = relations.firstSeen.find(({ id }) => id === own);
  return (
    <p>
      {sayHowMany(relations, group.files)} identical to files in {sayRepositories(group.others)}.
      {elsewhere.map(({ id, path, repository, files, createdAt }) => (
        <>
          {' '}
          <span key={id}>
            {sayFirst(files)} first seen in{' '}
            <a href={path}>
              <Foreign>{repository}</Foreign>
            </a>{' '}
            (from <Moment at={createdAt} />
            ).
          </span>
        </>
      ))}
      {here && ` This is the oldest repository known to have ${formatCount(here.files)} of them.`}
    </p>
  );
}

function sayHowMany({ skills, copiedSkills }: PageRelations, files: number): string {
  if (copiedSkills === 0) return `${plural(files, 'file')} of it ${files === 1 ? 'is' : 'are'}`;
  const listed = `${formatCount(copiedSkills)} of its ${plural(skills, 'listed skill')}`;
  const further = files - copiedSkills;
  if (further <= 0) return `${listed} ${copiedSkills === 1 ? 'is' : 'are'}`;
  return `${listed} and ${plural(further, 'other file')} of it are`;
}

function sayRepositories(others: number): string {
  return others === 1 ? '1 other repository' : `${formatCount(others)} other repositories`;
}

function sayFirst(files: number): string {
  return files === 1 ? '1 of them was' : `${formatCount(files)} of them were`;
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
