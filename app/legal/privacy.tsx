import { pageMeta } from "#app/lib/page-meta.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import Prose from "./privacy.md";

export const meta = () =>
  pageMeta(
    "Política de Privacidad",
    `Qué guarda ${PRODUCT_NAME}, cuánto tiempo, cómo funciona el anonimato, qué no podemos prometer y qué derechos tienes en tu país.`,
  );

export default function Privacy() {
  return (
    <main id="contenido" className="page thread">
      <Prose />
    </main>
  );
}
