/** What other sites show of a link to a page. Addresses are absolute. */
export interface SharedPage {
  url: string;
  description: string;
  /** A drawing of the score; absent on pages about none. */
  image?: { url: string; alt: string };
}

/** OpenGraph tags, and the description that search engines show. */
export function SharedLink({ title, page }: { title: string; page: SharedPage }) {
  const { url, description, image } = page;
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:site_name" content="Trust Directory" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {image && (
        <>
          <meta property="og:image" content={image.url} />
          <meta property="og:image:alt" content={image.alt} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}
