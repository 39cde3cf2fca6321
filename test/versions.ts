import type { TestApp, TestUser } from "./app.ts";
import { pagesOf } from "./lists.ts";

type Listed = { id: string; version: string };
const NONE = "";
const inList = (list: Listed[], id: string) => list.find((row) => row.id === id)?.version ?? NONE;

async function inPages(app: TestApp, admin: TestUser, path: string, id: string): Promise<string> {
  for await (const items of pagesOf<Listed>(app, path, admin)) {
    const version = inList(items, id);
    if (version) return version;
  }
  return NONE;
}

export const psychologistVersion = (app: TestApp, admin: TestUser, id: string) =>
  inPages(app, admin, "/admin/psychologists", id);

export async function consultationVersion(app: TestApp, admin: TestUser, id: string): Promise<string> {
  const { body } = await app.call("GET", `/consultations/${id}`, undefined, admin);
  if (body.viewer?.removal_version) return body.viewer.removal_version;
  return inPages(app, admin, "/admin/consultations", id);
}

export const messageVersion = async (app: TestApp, admin: TestUser, id: string) =>
  inList((await app.call("GET", "/admin/messages", undefined, admin)).body.waiting, id);

export const problemVersion = async (app: TestApp, admin: TestUser, id: string) =>
  inList((await app.call("GET", "/admin/payments", undefined, admin)).body.problems, id);

export const mailVersion = async (app: TestApp, admin: TestUser, id: string) =>
  inList((await app.call("GET", "/admin/mails", undefined, admin)).body, id);
