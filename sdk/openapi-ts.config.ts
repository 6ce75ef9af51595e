import { defineConfig } from '@hey-api/openapi-ts';
import { FULL_PATTERNS, NOT_BLANK } from '../server/src/platform/http/contract/validation.ts';

/** Character classes that replace ranges of invisible characters, because the generator would emit such ranges raw. */
const UNSEEN = [
  ['\\u0000-\\u001F\\u007F-\\u009F', '\\p{Cc}'],
  ['\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069', '\\p{Bidi_C}'],
  ['\\u115F\\u1160\\u2800\\u3164\\uFFA0', '\\p{DI}\\u{2800}'],
] as const;
/**
 * Replacements for patterns of the contract. JavaScript patterns are stricter, because the contract's patterns must
 * work in every language.
 */
const IN_JAVASCRIPT: Readonly<Record<string, string>> = {
  ...FULL_PATTERNS,
  [NOT_BLANK]: '^(?!\\s*$)[^\\u0000-\\u001F\\u007F-\\u009F]+$',
};

/**
 * Configures the generation of the validators in `@trust-directory/sdk/zod` (`npm run generate`). They accept unknown enum
 * values and, except in request bodies, unknown fields, because a newer service may send both. `GENERATED_FOLDER`
 * overrides `src/generated`.
 */
export default defineConfig({
  input: '../openapi.yaml',
  output: {
    path: `${process.env.GENERATED_FOLDER ?? 'src/generated'}/validators`,
    entryFile: false,
    module: { extension: '.ts' },
  },
  plugins: [
    {
      name: 'zod',
      dates: { offset: true },
      definitions: { name: '{{name}}Schema' },
      requests: false,
      responses: false,
      webhooks: false,
      '~resolvers': {
        object({ $, nodes, schema, symbols, ...context }) {
          if (!schema.properties) return undefined;
          const isClosed = Object(schema.additionalProperties).type === 'never';
          const kind = isClosed ? 'strictObject' : 'looseObject';
          return $(symbols.z)
            .attr(kind)
            .call(nodes.shape({ $, nodes, schema, symbols, ...context }));
        },
        string(context) {
          const pattern = UNSEEN.reduce(
            (text, [spelled, name]) => text?.replaceAll(spelled, name),
            IN_JAVASCRIPT[context.schema.pattern ?? ''] ?? context.schema.pattern,
          );
          if (pattern !== undefined) context.schema = { ...context.schema, pattern };
          return undefined;
        },
        enum({ $, nodes, symbols, ...context }) {
          const words = nodes.base({ $, nodes, symbols, ...context });
          return words.attr('or').call($(symbols.z).attr('string').call());
        },
      },
    },
  ],
});
