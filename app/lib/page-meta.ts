import type { MetaDescriptor } from "react-router";
import { PRODUCT_NAME } from "#shared/product.ts";

/**
 * Title and description of a page, for its route's `meta`. Search engines list the pages that have a description; all
 * others ask not to be listed.
 * @param canonical the absolute address under which search engines list it
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
