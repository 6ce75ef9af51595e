import type { CodeSample } from './code-samples.ts';

/** Code with a button that copies it. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div class="copy code" data-copy={name}>
      <Code text={code} />
    </div>
  );
}

/** Code as it stands. The renderer would write each quotation mark with six letters, and JSON has little else. */
export function Code({ text }: { text: string }) {
  const __html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return (
    <pre>
      <code dangerouslySetInnerHTML={{ __html }} />
    </pre>
  );
}

/** The same call in several languages, one at a time; without any script. */
export function CodeTabs({ samples }: { samples: readonly CodeSample[] }) {
  return (
    <div class="langs">
      <fieldset>
        <legend class="hidden">Language of the sample</legend>
        {samples.map(({ id, label }, index) => (
          <label key={id}>
            <input type="radio" name="language" value={id} checked={index === 0} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {samples.map(({ id, label, source }) => (
        <div key={id} class={`lang ${id}`}>
          <CodeBlock code={source} name={`the call in ${label}`} />
        </div>
      ))}
    </div>
  );
}
