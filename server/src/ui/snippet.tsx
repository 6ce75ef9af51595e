/** A text to copy under its name. */
export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <>
      <h3>{name}</h3>
      <div class="copy" data-copy={name}>
        <pre>{text}</pre>
      </div>
    </>
  );
}
