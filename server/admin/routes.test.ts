import { STATUS_CODES } from "node:http";
import { describe, expect, test } from "vitest";
import { openTestApp } from "#test/app.ts";
import { setUpAdmin, setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { verificationSteps } from "#test/verification.ts";

const { app, mailbox } = setUpTestAppWithMailbox();
const admin = setUpAdmin(app);
const { pending, stateOf, auditOf, approve, reject } = verificationSteps(app, admin, mailbox);

describe("pages of the administrator", () => {
  test("show other users no data", async () => {
    // The list shows the longest waiting first, and other tests leave many.
    await app.sql(
      "update psychologist_profiles set verified_at = now() where verified_at is null and rejected_at is null",
    );
    const waiting = await pending("Perla Escondida Nácar");
    expect((await app.page("/admin", admin)).text).toContain("Perla Escondida Nácar");
    for (const [person, status] of [
      [null, 401],
      [await app.person({ type: "psychologist" }), 403],
    ] as const) {
      for (const section of ["", "/mensajes", "/membresias", "/consultas", "/psicologos", "/ayuda"])
        for (const more of ["", ".data", ".data?_routes=admin/pending"]) {
          const page = await app.page(`/admin${section}${more}`, person);
          if (more === "") expect(page.status).toBe(status);
          for (const secret of ["Perla", waiting.email, waiting.id]) expect(page.text).not.toContain(secret);
        }
      const refused = await app.page("/admin.data", person);
      expect(refused.text).toContain(STATUS_CODES[status]);
      expect(refused.text).not.toContain("Internal Server Error");
      const form = await app.form("/admin", { intent: "approve", id: waiting.id }, person);
      expect(form.status).toBe(status);
    }
    expect(await stateOf(waiting)).toMatchObject({ is_verified: false });
  });

  test("return a typed reason with a link to the sign-in if the session has ended", async () => {
    const { id } = await app.person({ type: "psychologist" });
    const reason = "La matrícula no figura en el registro";
    for (const [path, intent] of [
      ["/admin", "reject"],
      ["/admin/psicologos", "reject"],
      [`/admin/psicologo/${id}/gold`, "grant"],
    ] as const) {
      const { status, text } = await app.form(path, { intent, id, reason });
      expect([path, status]).toEqual([path, 401]);
      expect(text, path).toMatch(new RegExp(`<textarea[^>]*>${reason}</textarea>`));
      expect(text, path).toMatch(
        /<a [^>]*href="\/auth\?volver=\/admin[^"]*"[^>]*target="_blank"|target="_blank"[^>]*href="\/auth/,
      );
    }
  });
});

test("the administrator is the account whose email is ADMIN_EMAIL in any spelling, as long as it has that email", async () => {
  const own = await openTestApp({ environment: { ADMIN_EMAIL: "Jefa@EXÄMPLE.com." } });
  try {
    const email = "jefa@xn--exmple-cua.com";
    const person = await own.person({ email });
    const summary = () => own.call("GET", "/admin/summary", undefined, person);
    expect((await summary()).status).toBe(200);
    for (const other of ["otra@divan.example", `x${email}`, `${email}.example`]) {
      await own.sql("update profiles set email = $1", [other]);
      expect((await summary()).body.code).toBe("admin_only");
    }
  } finally {
    await own.close();
  }
});

describe("audit log", () => {
  test("refuses updates and deletions", async () => {
    const waiting = await pending();
    await reject(waiting.id, "un motivo");
    const before = await app.sql("select * from audit_log order by id");
    for (const statement of [
      "update audit_log set details = '{}'",
      "update audit_log set actor_id = null, target_id = null",
      "delete from audit_log",
    ])
      await expect(app.sql(statement)).rejects.toThrow("append-only");
    expect(await app.sql("select * from audit_log order by id")).toEqual(before);
  });

  test("retains entries after their target or actor is deleted", async () => {
    const waiting = await pending();
    const former = await app.person();
    await approve(waiting.id);
    await app.sql("insert into audit_log (actor_id, action, target_id) values ($1, 'a test', $2)", [
      former.id,
      waiting.id,
    ]);
    await app.sql("delete from profiles where id = any($1)", [[former.id, waiting.id]]);
    expect(await auditOf(waiting)).toMatchObject([
      { actor_id: admin.id, action: "psychologist_approved" },
      { actor_id: null, action: "a test" },
    ]);
  });
});
