import { parseDocument, visit } from 'yaml';

/** Creates the project's lint rules for openapi.yaml, enabled in redocly.yaml. Each forbids something that breaks some tool. */
export default function houseRules() {
  return {
    id: 'house',
    rules: {
      oas3: {
        'no-anchors': noAnchors,
        'word-parameters': wordParameters,
        'closed-requests': closedRequests,
        'plain-requests': plainRequests,
        'no-body-defaults': noBodyDefaults,
        'bounded-inputs': boundedInputs,
        'portable-patterns': portablePatterns,
        'header-examples': headerExamples,
        'response-examples': responseExamples,
      },
    },
  };
}

/** Forbids YAML anchors, which several generators and validators refuse: use $ref or repeat the text. */
function noAnchors() {
  return {
    Root(_root, { report, location }) {
      const names = new Set();
      visit(parseDocument(location.source.body), {
        Alias: (_key, { source }) => void names.add(source),
        Node: (_key, { anchor }) => void (anchor && names.add(anchor)),
      });
      for (const name of names)
        report({ message: `Write $ref in place of the YAML anchor "${name}".`, location });
    },
  };
}

/** Requires route parameters of word characters only, because the server would never match `{owner-id}`. */
function wordParameters() {
  return {
    Parameter(parameter, { report, location }) {
      if (parameter.in === 'path' && !/^\w+$/.test(parameter.name)) {
        report({
          message: `Path parameter "${parameter.name}" may hold word characters only.`,
          location: location.child('name'),
        });
      }
    },
  };
}

/**
 * Requires closed request schemas, so that a typo is a 400 and not a silent default. Requests that the service itself sends
 * stay open.
 */
function closedRequests() {
  return onRequestSchemas((schema, location, { report }) => {
    if (schema.properties && schema.additionalProperties !== false) {
      report({ message: 'A request object needs additionalProperties: false.', location });
    }
  });
}

/** Forbids keywords for which the server's strict validator fails at its start. */
function plainRequests() {
  return onRequestSchemas((schema, location, { report }) => {
    for (const keyword of Object.keys(schema)) {
      if (keyword.startsWith('x-') || keyword === 'discriminator') {
        report({
          message: `"${keyword}" may not stand in a request schema.`,
          location: location.child(keyword).key(),
        });
      }
    }
  });
}

/** Forbids defaults in request bodies, because generators make such fields required. State the default in the description. */
function noBodyDefaults() {
  const { RequestBody } = onRequestSchemas((schema, location, { report }) => {
    if ('default' in schema) {
      report({
        message: 'A field of a request body has no default.',
        location: location.child('default').key(),
      });
    }
  }).Paths;
  return { Paths: { RequestBody } };
}

/** Requires bounds on everything that a caller sends, so that control characters and oversized values are refused early. */
function boundedInputs() {
  return onRequestSchemas((schema, location, { report }) => {
    const needs = (keyword) => report({ message: `An input needs ${keyword}.`, location });
    const types = [schema.type].flat();
    if (types.includes('array') && !('maxItems' in schema)) needs('maxItems');
    if (!types.includes('string') || 'enum' in schema || 'const' in schema) return;
    if (!('pattern' in schema || 'format' in schema)) needs('a pattern, an enum or a format');
    if (!('maxLength' in schema)) needs('maxLength');
  });
}

/** Pattern features that some languages lack or interpret differently. */
const NOT_PORTABLE = [
  [/\(\?(?!:)/, 'no look-around, named group or inline flag'],
  [/\\[pP]/, 'no class of Unicode properties'],
  [/\\u\{/, 'no \\u{…}'],
  [/\\[dDwWsSbB]/, 'no \\d, \\w, \\s or \\b: write the characters'],
  [/\\[1-9k]/, 'no reference to a group'],
  [/[*+?}][?+]/, 'no lazy or possessive quantifier'],
  [/[\ud800-\udfff]|\\u[dD][89a-fA-F]/, 'no character beyond U+FFFF'],
];
/**
 * Texts of characters beyond U+FFFF, and of halves of them; a pattern may count these differently with and without the
 * flag `u`.
 */
const ASTRAL = [1, 2, 3, 50, 51, 99, 100, 101, 128, 129, 255, 256, 512, 513].flatMap((count) =>
  ['\u{1f642}', '\ud83d', '\ude42'].flatMap((unit) => {
    const text = unit.repeat(count);
    return [text, `a${text}`, `${text}a`, `a${text}a`];
  }),
);

/** Requires patterns that every language understands in the same way, including JavaScript with and without the flag `u`. */
function portablePatterns() {
  return {
    Schema({ pattern }, { report, location }) {
      if (pattern === undefined) return;
      const problem = problemOfPattern(pattern);
      if (problem) report({ message: `A pattern has ${problem}.`, location: location.child('pattern') });
    },
  };
}

function problemOfPattern(pattern) {
  // A character in a class or after a backslash is not a quantifier.
  const outside = pattern.replace(/\\[^pPukdDwWsSbB1-9]/g, '_').replace(/\[(?:\\.|[^\]\\])*\]/g, '_');
  const found = NOT_PORTABLE.find(([form], index) => form.test([0, 5].includes(index) ? outside : pattern));
  if (found) return found[1];
  try {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
    const differs = ASTRAL.some((text) => plain.test(text) !== unicode.test(text));
    return differs ? 'the same meaning with the flag u and without it' : null;
  } catch {
    return 'to compile with the flag u and without it';
  }
}

/** Requires examples of headers, because the mock server sends the name of the type without one. */
function headerExamples() {
  return {
    Header(header, { report, location }) {
      if (header.example === undefined) report({ message: 'A header needs an example.', location });
    },
  };
}

/** Requires an example of every response body, because the mock server can only show what has one. */
function responseExamples() {
  return {
    Response: {
      MediaType(mediaType, { report, location }) {
        if (Object.keys(mediaType.examples ?? {}).length === 0) {
          report({ message: 'A response body needs at least one named example.', location });
        }
      },
    },
  };
}

/** Visits every schema of what a caller sends: parameters and bodies, references and nested schemas included. */
function onRequestSchemas(visit) {
  const walk = (node, location, context) => {
    const found = node.$ref ? context.resolve(node) : { node, location };
    if (!found.node) return;
    visit(found.node, found.location, context);
    for (const [path, child] of childSchemas(found.node)) walk(child, found.location.child(path), context);
  };
  const start = (holder, context) => {
    if (holder.schema) walk(holder.schema, context.location.child('schema'), context);
  };
  return { Paths: { Parameter: start, RequestBody: { MediaType: start } } };
}

function childSchemas(schema) {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    (schema[keyword] ?? []).map((child, index) => [[keyword, index], child]),
  );
  const properties = Object.entries(schema.properties ?? {}).map(([name, child]) => [
    ['properties', name],
    child,
  ]);
  return [...lists, ...properties, ...(schema.items ? [[['items'], schema.items]] : [])];
}
