import { pageMeta } from "#app/lib/page-meta.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import Prose from "./terms.md";

export const meta = () =>
  pageMeta(
    "Términos de Servicio",
    `Qué es ${PRODUCT_NAME} y qué no es, quién puede usarlo, cómo se convive aquí y cómo funcionan las membresías.`,
  );

export default function Terms() {
  return (
    <main id="contenido" className="page thread">
      <Prose />
    </main>
  );
}
