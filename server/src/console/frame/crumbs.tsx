/** The way back to the page that this one belongs to. */
export function Crumbs({ href, children }: { href: string; children: string }) {
  return (
    <p class="crumbs">
      <a href={href}>{children}</a>
    </p>
  );
}
