import type { KeyRecord } from '../../keys/key.ts';
import { FilterSelect } from './filters.tsx';

/** A choice is as wide as its longest text. */
function shorten(name: string): string {
  const letters = [...name];
  return letters.length > 30 ? `${letters.slice(0, 29).join('')}…` : name;
}

/** Which key's calls a list shows; null for all. */
export function KeyFilter({ keys, chosen }: { keys: readonly KeyRecord[]; chosen: string | null }) {
  return (
    <FilterSelect
      name="key"
      label="Key"
      all="All keys"
      options={keys.map(({ id, name, last_four }) => ({
        value: id,
        text: `${shorten(name)} …${last_four}`,
      }))}
      chosen={chosen}
    />
  );
}
