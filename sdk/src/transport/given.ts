/** Members that have a value: `undefined` counts as left out. */
export const given = (value: object | null | undefined) =>
  Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
