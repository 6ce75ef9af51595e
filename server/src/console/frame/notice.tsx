import type { ComponentChildren } from 'preact';

/** What was just done, or what stands in the way. */
export function Notice({ bad = false, children }: { bad?: boolean; children: ComponentChildren }) {
  return (
    <div class={bad ? 'notice bad' : 'notice'} role="status">
      {children}
    </div>
  );
}

/** Says what a form that led here has done: one of the page's own sentences, never text from the address. */
export function DoneNotice({
  query,
  sentences,
}: {
  query: URLSearchParams;
  sentences: Readonly<Record<string, string>>;
}) {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(sentences, done)) return null;
  return <Notice>{sentences[done]}</Notice>;
}
