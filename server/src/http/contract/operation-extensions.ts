/** An operation as the contract writes it, as far as its extensions go. */
interface ExtendedOperation {
  method: string;
  schemes: readonly string[];
  extensions: Readonly<Record<string, unknown>>;
}

interface Extension {
  /** What it has to be, for a sentence. */
  form: string;
  isValid(value: unknown): boolean;
  /** Whether the operation has to say it. */
  isDue(operation: ExtendedOperation): boolean;
}

const YES_OR_NO = { form: 'true or false', isValid: (value: unknown) => typeof value === 'boolean' };

/** What the contract may say of an operation beside OpenAPI's own words; `x-operation-extensions` tells what each means. */
const EXTENSIONS: Readonly<Record<string, Extension>> = {
  'x-price-credits': {
    form: 'a whole number of credits for each of its operations',
    isValid: (value) =>
      value instanceof Object && Object.values(value).every((price) => Number.isInteger(price) && price > 0),
    isDue: () => false,
  },
  'x-judges-credential': { ...YES_OR_NO, isDue: ({ schemes }) => schemes.includes('accessKey') },
  'x-unranked': { ...YES_OR_NO, isDue: ({ schemes }) => schemes.length === 0 },
  'x-repeatable': { ...YES_OR_NO, isDue: ({ method }) => method !== 'GET' },
};

/** What is wrong with an operation's extensions, each as the end of a sentence: unknown, malformed or missing. */
export function extensionProblems(operation: ExtendedOperation): string[] {
  const { extensions } = operation;
  const unknown = Object.keys(extensions).filter((name) => !Object.hasOwn(EXTENSIONS, name));
  const known = Object.entries(EXTENSIONS).flatMap(([name, { form, isValid, isDue }]) => {
    if (!Object.hasOwn(extensions, name)) return isDue(operation) ? [`does not say ${name}, ${form}`] : [];
    return isValid(extensions[name]) ? [] : [`has an ${name} that is not ${form}`];
  });
  return [...unknown.map((name) => `has the unknown extension ${name}`), ...known];
}

/** Extensions that only the code or only the contract's own description of them knows, each as a sentence. */
export function undescribedExtensions(described: object): string[] {
  const known = Object.keys(EXTENSIONS);
  const names = Object.keys(described);
  return [
    ...known
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not described in the contract`),
    ...names
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is described, but nothing reads it`),
  ];
}
