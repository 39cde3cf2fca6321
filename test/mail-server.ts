/** A real mail server, and functions that parse the received mails. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeEach } from "vitest";
import { setUpOnce } from "./suite-setup.ts";

type Mode = "take" | "hold" | `refuse the ${"recipient" | "mail"}`;
type Delivered = { at: number; from: string; to: string[]; raw: string };

async function openMailServer() {
  const delivered: Delivered[] = [];
  const held: (() => void)[] = [];
  const state = {
    mode: "take" as Mode,
    attempts: 0,
    /** Milliseconds that the server takes per mail. */
    takesMs: 0,
    atOnce: 0,
    mostAtOnce: 0,
    refused: new Set<string>(),
    /** Recipients whose mails get no response before `release`. */
    stalled: new Set<string>(),
    /** Accepts the mails that arrived in the mode "hold" or are stalled. */
    release: () => {
      for (const take of held.splice(0)) take();
    },
    refusal: (address: string) => `<${address}>: mailbox full`,
  };
  const refusal = (message: string, responseCode: number) => Object.assign(new Error(message), { responseCode });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _session, done) {
      if (state.mode === "refuse the recipient" || state.refused.has(address)) {
        state.attempts++;
        done(refusal(state.refusal(address), 452));
      } else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      const { mailFrom, rcptTo } = session.envelope;
      state.mostAtOnce = Math.max(state.mostAtOnce, ++state.atOnce);
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        state.attempts++;
        if (state.mode === "refuse the mail") return done(refusal("try later", 451));
        const take = () => {
          state.atOnce--;
          delivered.push({
            at: Date.now(),
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString("utf8"),
          });
          done();
        };
        if (state.mode === "hold" || state.stalled.has(rcptTo[0]!.address)) held.push(take);
        else if (state.takesMs) setTimeout(take, state.takesMs);
        else take();
      });
    },
  });
  server.on("error", () => {}); // A killed client is not a fault of the server.
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    delivered,
    state,
    close: () => new Promise<void>((done) => server.close(done)),
  };
}

/** Starts the mail server of a test file. Each test starts in the mode "take", without delivered mails. */
export function mailServer() {
  const smtp = setUpOnce(openMailServer);
  afterAll(() => smtp.close());
  beforeEach(() => {
    smtp.state.mode = "take";
    smtp.delivered.length = 0;
  });
  return smtp;
}

export const headersOf = (raw: string) => raw.slice(0, raw.indexOf("\r\n\r\n"));

const decoded = (header: string) =>
  header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      /b/i.test(kind)
        ? Buffer.from(word, "base64").toString("utf8")
        : decodeURIComponent(word.replaceAll("_", " ").replaceAll("%", "%25").replaceAll("=", "%")),
    );
export const headerOf = (raw: string, name: string) =>
  decoded(new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)`, "im").exec(headersOf(raw))?.[1] ?? "").replace(/\r\n\s*/g, " ");

export function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(headersOf(raw))![1]!;
  const parts: Record<string, string> = {};
  for (const part of raw.split(`--${boundary}`).slice(1, -1)) {
    const [head = "", ...body] = part.trimStart().split("\r\n\r\n");
    const text = body.join("\r\n\r\n");
    const encoding = /content-transfer-encoding: (\S+)/i.exec(head)?.[1]?.toLowerCase();
    parts[/content-type: ([^;\s]+)/i.exec(head)![1]!] =
      encoding === "base64"
        ? Buffer.from(text, "base64").toString("utf8")
        : encoding === "quoted-printable"
          ? Buffer.from(
              text
                .replace(/=\r\n/g, "")
                .replace(/=([0-9A-F]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
              "latin1",
            ).toString("utf8")
          : text;
  }
  return parts;
}
