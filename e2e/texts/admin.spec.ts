import { FULL_ONLY, waitForHydration } from "../fixtures.ts";
import { breakRequests, expect, test, toastWith } from "./situations.ts";

const HEADING = "Panel de Administración";

// test/page-roles.test.ts shows what each role sees.
test("shows the texts of the administration", async ({ visit, seen, watch }) => {
  watch.expectStatus(403);
  const main = (await visit("admin", "/admin")).getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: HEADING })).toBeVisible();
  const applicant = main.getByRole("article", { name: "Pedro Pendiente" });
  await seen("S2.9-3", "Aprobar", applicant.getByRole("button", { name: /^Aprobar/ }));
  await seen("S2.9-3", "Rechazar", applicant.locator("summary"));

  const refused = (await visit("user", "/admin")).getByRole("main");
  await seen(["S2.9-1", "S8.6-9"], "Acceso Denegado", refused.getByRole("heading", { level: 1 }));
  await seen(["S2.9-1", "S8.6-9"], "No tienes permisos para acceder a esta página.", refused);
});

test(
  "shows the texts of approvals, rejections and their errors",
  FULL_ONLY,
  async ({ visit, seen, community, watch }) => {
    for (const status of [409, 500, 503]) watch.expectStatus(status);
    const name = "Ana Aspirante";
    const { id } = await community.person({ type: "psychologist", verified: false, name });
    const page = await visit("admin", "/admin");
    await waitForHydration(page);
    const applicant = page.getByRole("article", { name });
    const approve = applicant.getByRole("button", { name: /^Aprobar/ });

    await breakRequests(page, /\/admin\.data/);
    await approve.click();
    const failed = "No se pudo actualizar el estado de verificación";
    await seen("S8.6-6", failed, toastWith(page, failed));
    await page.unroute(/\/admin\.data/);

    await community.hide("table", "audit_log", async () => {
      await approve.click();
      const toast = toastWith(page, "Es un problema nuestro.");
      await seen("S8.6-5", "Error", toast);
    });

    const reject = applicant.locator("summary", { hasText: "Rechazar" });
    await reject.click();
    await applicant.getByRole("button", { name: "Confirmar el rechazo" }).click();
    await seen("S8.6-8", "Psicólogo rechazado", toastWith(page, "Psicólogo rechazado"));
    await expect(applicant).toContainText("Rechazado");
    await community.sql("update psychologist_profiles set bio = 'Otra biografía.' where id = $1", [id]);
    await approve.click();
    await seen(["S4.2-4", "S8.6-10"], "Cambió mientras lo mirabas", applicant.getByRole("alert"));
    await approve.click();
    await seen("S8.6-7", "Psicólogo aprobado", toastWith(page, "Psicólogo aprobado"));
    await expect(applicant).toBeHidden();

    const strip = page.locator(".undo-banner").filter({ hasText: name }).filter({ hasText: "aprobado" });
    const undo = strip.getByRole("button", { name: /^Deshacer/ });
    await seen("S2.9-13", "Deshacer", undo);
    await undo.click();
    await seen("S8.6-12", "Decisión deshecha", toastWith(page, "Decisión deshecha"));
    await approve.click();
    await expect(applicant).toBeHidden();
    // Simulates that the mail was sent.
    await community.sql("delete from pgboss.job where data ->> 'psychologist_id' = $1", [id]);
    await undo.click();
    await seen("S8.6-13", "Ya no se puede deshacer", toastWith(page, "Ya no se puede deshacer"));

    // A psychologist who is on this page but no longer in the database.
    await community.sql("update psychologist_profiles set verified_at = null where id = $1", [id]);
    await page.goto("/admin");
    await waitForHydration(page);
    await community.sql("delete from profiles where id = $1", [id]);
    await approve.click();
    await seen("S8.6-4", "Ningún registro actualizado", toastWith(page, "Ningún registro actualizado"));
  },
);

test(
  "shows an error when a list of the administration cannot be read",
  FULL_ONLY,
  async ({ visit, seen, community }) => {
    const page = await visit("admin", "/admin");
    const main = page.getByRole("main");
    const look = async (address: string, text: string, id: string) => {
      await page.goto(address);
      const alert = main.getByRole("alert").filter({ hasText: text });
      await seen(id, text, alert);
      await seen("S2.14-1", "Reintentar", alert.getByRole("link", { name: "Reintentar" }));
      await expect(main.getByRole("heading", { level: 1, name: HEADING })).toBeVisible();
    };
    await community.hide("column", "psychologist_profiles.bio", () =>
      look("/admin", "No se pudieron cargar los psicólogos pendientes", "S8.6-1"),
    );
    await community.hide("column", "psychologist_profiles.total_reviews", () =>
      look("/admin/psicologos", "No se pudieron cargar los psicólogos", "S8.6-2"),
    );
    await community.hide("view", "visible.consultations", () =>
      look("/admin/consultas", "No se pudieron cargar las consultas", "S8.6-3"),
    );
  },
);
