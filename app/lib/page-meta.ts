import type { MetaDescriptor } from "react-router";
import { PRODUCT_NAME } from "#shared/product.ts";

export const NOINDEX = { name: "robots", content: "noindex" };

/** A page without a description gets `noindex`. */
export const pageMeta = (title: string, description?: string): MetaDescriptor[] => [
  { title: `${title} · ${PRODUCT_NAME}` },
  description === undefined ? NOINDEX : { name: "description", content: description },
];
