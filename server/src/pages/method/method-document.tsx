import type { Naming } from '../../subjects/naming.ts';
import { toDocument } from '../../ui/document.ts';
import { Layout } from '../../ui/layout.tsx';
import { absoluteAddress } from '../frame/absolute-address.ts';
import { MethodView } from './method-view.tsx';

/** How scores are made. */
export function methodDocument(naming: Naming): string {
  const title = 'How scores are made · Trust Directory';
  const url = absoluteAddress('/method', naming);
  const description = 'What trust and confidence are read from, with every weight, and one score worked out.';
  return toDocument(
    <Layout title={title} canonical={url} shared={{ url, description }}>
      <MethodView />
    </Layout>,
  );
}
