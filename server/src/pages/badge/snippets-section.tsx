import { Snippet } from '../../ui/snippet.tsx';

interface SnippetsSectionProps {
  /** The API's path of the same record. */
  apiPath: string;
  /** The SDK's call for it, an expression. */
  sdkCall: string;
  /** Where this directory lives, without a slash at the end. */
  site: string;
}

/** The same record for programs, to copy. */
export function SnippetsSection({ apiPath, sdkCall, site }: SnippetsSectionProps) {
  return (
    <section class="card" aria-labelledby="check">
      <h2 id="check">Check it yourself</h2>
      <p class="small">
        <a href={apiPath}>The same record from the API</a>
      </p>
      <Snippet name="curl" text={`curl '${site}${apiPath}'`} />
      <Snippet
        name="SDK"
        text={`import { TrustDirectory } from '@trust-directory/sdk';\n\nconst client = new TrustDirectory({\n  baseUrl: '${site}',\n  apiKey: null,\n});\nconst record = await ${sdkCall};`}
      />
    </section>
  );
}
