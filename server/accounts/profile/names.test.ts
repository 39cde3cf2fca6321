import { describe, expect, test } from "vitest";
import type { Answer, TestUser } from "#test/app.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { consultationBody } from "#test/threads.ts";

const app = setUpTestApp();

const registrationOf = (full_name: string, more: Record<string, unknown> = {}) =>
  registration(uniqueEmail(), { full_name, ...more });
const asPsychologist = { user_type: "psychologist", license_number: "MP 7788" };
const consultation = (author_name: string) => consultationBody({ is_anonymous: false, author_name });
const PROFESSIONAL = { license_number: "MP 1234", specialty: "Psicología Clínica" };

/** A psychologist with a photo, which saving a profile requires. */
async function psychologist(name: string): Promise<TestUser> {
  const person = await app.person({ type: "psychologist", name });
  await app.sql("update profiles set avatar_url = '/avatars/a.webp' where id = $1", [person.id]);
  return person;
}
const isVerified = async ({ id }: TestUser) =>
  (
    await app.sql<{ verified: boolean }>(
      "select verified_at is not null as verified from psychologist_profiles where id = $1",
      [id],
    )
  )[0]!.verified;

const MISLEADING = "Equipo Diván";
const refused = (field: string, words: RegExp) => ({
  status: 422,
  body: { fields: { [field]: expect.stringMatching(words) } },
});

describe("a misleading name", () => {
  test("responds 422 in every operation that stores a name", async () => {
    const user = await app.person();
    const professional = await psychologist("Paula Rivarola");
    const named = { full_name: MISLEADING };
    const message = { name: MISLEADING, email: "rosa@correo.example", message: "Una pregunta para ustedes." };
    const answers: [string, Answer][] = [
      ["full_name", await app.call("POST", "/registrations", registrationOf(MISLEADING))],
      ["full_name", await app.call("POST", "/registrations", registrationOf(MISLEADING, asPsychologist))],
      ["full_name", await app.call("PUT", "/profile", named, user)],
      ["full_name", await app.call("PUT", "/profile", { ...named, ...PROFESSIONAL }, professional)],
      ["author_name", await app.call("POST", "/consultations", consultation(MISLEADING), user)],
      ["name", await app.call("POST", "/contact", message)],
    ];
    for (const [field, answer] of answers) expect(answer).toMatchObject(refused(field, /confundir/));
    expect(await isVerified(professional)).toBe(true);
  });

  test("responds 422 if the display name of a published consultation changes to it", async () => {
    const user = await app.person();
    const { body } = await app.call("POST", "/consultations", consultation("Lucía"), user);
    const edit = (name: string) => app.call("PATCH", `/consultations/${body.id}`, consultation(name), user);
    expect(await edit(MISLEADING)).toMatchObject(refused("author_name", /confundir/));
    expect(await edit("Psicóloga Lucía")).toMatchObject(refused("author_name", /profesional de la salud/));
    expect((await edit("Lucía Paz")).status).toBe(200);
  });
});

describe("a profession in a name", () => {
  test("requires a psychologist's account", async () => {
    const register = (name: string, more = {}) => app.call("POST", "/registrations", registrationOf(name, more));
    expect(await register("Psic. Ana Ruiz")).toMatchObject(refused("full_name", /profesional de la salud/));
    expect((await register("Psic. Ana Ruiz", asPsychologist)).status).toBe(202);
    expect(await register("Psiquiatra Ana", asPsychologist)).toMatchObject(
      refused("full_name", /matrícula de psicología/),
    );
    const user = await app.person();
    expect((await app.call("PUT", "/profile", { full_name: "Terapeuta Ana" }, user)).status).toBe(422);
    expect((await app.call("POST", "/consultations", consultation("Terapeuta Ana"), user)).status).toBe(422);
  });
});

describe("a name stored before the rules", () => {
  test("stays when other fields of the profile change", async () => {
    const person = await psychologist("Equipo divan.com");
    const bio = "Atiendo desde 2010.";
    const saved = await app.call("PUT", "/profile", { full_name: "Equipo divan.com", ...PROFESSIONAL, bio }, person);
    expect(saved).toMatchObject({ status: 200, body: { profile: { full_name: "Equipo divan.com" } } });
    expect((await app.call("PUT", "/profile", { full_name: "Equipo divan.net", ...PROFESSIONAL }, person)).status).toBe(
      422,
    );
  });

  test("stays on a consultation whose text changes", async () => {
    const user = await app.person();
    const { body } = await app.call("POST", "/consultations", consultation("Lucía"), user);
    await app.sql("update consultations set author_name = 'Soporte' where id = $1", [body.id]);
    const edited = await app.call(
      "PATCH",
      `/consultations/${body.id}`,
      { ...consultation("Soporte"), title: "Otra pregunta de prueba" },
      user,
    );
    expect(edited.status, edited.text).toBe(200);
  });
});
