import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  CONSULTATION_DRAFT,
  claimDrafts,
  clearDrafts,
  draftsWithPrefix,
  readDraft,
  saveDraft,
  VISITOR_DRAFT,
} from "./drafts.ts";

/** Fake session storage. `Object.keys` lists its keys, as in a browser. */
class Storage {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
}

const WRITTEN = { title: "Antes de tener cuenta", is_anonymous: true };

beforeEach(() => vi.stubGlobal("sessionStorage", new Storage()));

describe("claimDrafts", () => {
  test("gives a visitor's draft only to the first user who signs in", () => {
    saveDraft(VISITOR_DRAFT, WRITTEN);
    claimDrafts("clara");
    expect(readDraft(CONSULTATION_DRAFT)).toEqual(WRITTEN);
    expect(readDraft(VISITOR_DRAFT)).toBeNull();
    claimDrafts("ana");
    expect(readDraft(CONSULTATION_DRAFT)).toBeNull();
  });

  test("deletes the previous user's drafts but not a visitor's", () => {
    claimDrafts("ana");
    saveDraft("answer", { content: "De Ana" });
    saveDraft(VISITOR_DRAFT, WRITTEN);
    claimDrafts("clara");
    expect(readDraft(CONSULTATION_DRAFT)).toEqual(WRITTEN);
    expect(readDraft("answer")).toBeNull();
  });

  test("appends a visitor's draft to the user's older one", () => {
    claimDrafts("clara");
    saveDraft(CONSULTATION_DRAFT, {
      title: "Lo mío",
      content: "Uno",
      country: "Chile",
      category: "",
      key: "k",
      sent: true,
    });
    saveDraft(VISITOR_DRAFT, { ...WRITTEN, content: "Dos", country: "", category: "Familia" });
    claimDrafts("clara");
    expect(readDraft(CONSULTATION_DRAFT)).toEqual({
      title: "Lo mío",
      content: "Uno\n\nAntes de tener cuenta\n\nDos",
      country: "Chile",
      category: "Familia",
      is_anonymous: true,
      key: "k",
    });
  });

  test.each([
    [true, false],
    [false, true],
  ])("keeps a joined draft anonymous (older draft: %s, visitor's draft: %s)", (older, newer) => {
    claimDrafts("clara");
    saveDraft(CONSULTATION_DRAFT, { content: "Uno", is_anonymous: older });
    saveDraft(VISITOR_DRAFT, { content: "Dos", is_anonymous: newer });
    claimDrafts("clara");
    expect(readDraft(CONSULTATION_DRAFT)?.is_anonymous).toBe(true);
  });

  test("appends no text that the older draft already contains", () => {
    claimDrafts("clara");
    saveDraft(CONSULTATION_DRAFT, { ...WRITTEN, content: "Uno" });
    saveDraft(VISITOR_DRAFT, { ...WRITTEN, content: "Uno" });
    claimDrafts("clara");
    expect(readDraft(CONSULTATION_DRAFT)).toEqual({ ...WRITTEN, content: "Uno" });
  });
});

describe("clearDrafts", () => {
  test("deletes a visitor's draft too", () => {
    saveDraft(VISITOR_DRAFT, WRITTEN);
    clearDrafts();
    expect(readDraft(VISITOR_DRAFT)).toBeNull();
  });
});

describe("blocked storage", () => {
  test("stores and returns no draft", () => {
    Object.defineProperty(globalThis, "sessionStorage", {
      configurable: true,
      get() {
        throw new DOMException("The browser blocks storage", "SecurityError");
      },
    });
    saveDraft(VISITOR_DRAFT, WRITTEN);
    claimDrafts("clara");
    clearDrafts();
    expect(readDraft(VISITOR_DRAFT)).toBeNull();
    expect(draftsWithPrefix("reply:")).toEqual([]);
  });
});
