/** Members that have a value: `undefined` counts as left out. */
export type Given<Value> = { [Name in keyof Value]?: Exclude<Value[Name], undefined> };

/** Names and values of those. */
export const given = (value: unknown) =>
  Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
