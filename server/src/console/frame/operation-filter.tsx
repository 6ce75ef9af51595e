import { OPERATIONS } from '../../plans/plans.ts';
import { toWords } from '../../ui/text.tsx';
import { FilterSelect } from './filters.tsx';

/** An operation as people say it: `agent_skill_lineage` is `Agent skill lineage`. */
export function operationName(operation: string): string {
  const words = toWords(operation);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Which operation's calls a list shows; null for all. */
export function OperationFilter({ chosen }: { chosen: string | null }) {
  return (
    <FilterSelect
      name="operation"
      label="Operation"
      all="All operations"
      options={OPERATIONS.map((value) => ({ value, text: operationName(value) }))}
      chosen={chosen}
    />
  );
}
