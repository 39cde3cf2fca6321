import type { MetaDescriptor } from "react-router";
import { PRODUCT_NAME } from "#shared/product.ts";

/**
 * Meta tags of a page. A page without a description gets `noindex`.
 * @param canonical absolute URL for search engines
 */
export function pageMeta(
  title: string,
  { description, canonical }: { description?: string; canonical?: string } = {},
): MetaDescriptor[] {
  return [
    { title: `${title} · ${PRODUCT_NAME}` },
    description === undefined ? { name: "robots", content: "noindex" } : { name: "description", content: description },
    ...(canonical ? [{ tagName: "link", rel: "canonical", href: canonical }] : []),
  ];
}
