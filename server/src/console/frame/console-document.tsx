import { CONSOLE_STYLE_PATH } from '../../ui/assets.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { AccountMenu, type SignedIn } from './account-menu.tsx';
import type { Page } from './answer.ts';
import { FormToken } from './form.tsx';
import { Tabs } from './tabs.tsx';

/** A signed-in page as a whole document; whatever stands in it was escaped by the renderer. */
export function consoleDocument(
  { title, tab, content }: Page,
  formToken: string,
  signedIn: SignedIn | null,
): string {
  return toDocument(
    <Layout
      title={`${title} · Console · Trust Directory`}
      current="console"
      unlisted={true}
      style={CONSOLE_STYLE_PATH}
    >
      <FormToken.Provider value={formToken}>
        <AccountMenu signedIn={signedIn} />
        <Tabs current={tab} />
        {content}
      </FormToken.Provider>
    </Layout>,
  );
}
