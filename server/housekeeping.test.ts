import { expect, test } from "vitest";
import { DAY, SECOND } from "#shared/time.ts";
import { withHidden } from "#test/hidden.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { housekeeping } from "./housekeeping-store.ts";

const app = setUpTestApp();

const NOW = new Date("2026-03-02T12:00:00Z");

test("deletes 2,500 expired rows in statements of at most 1,000, even if the deletion from another table fails", async () => {
  app.setNow(NOW);
  await app.sql("delete from presses");
  await app.sql("insert into presses (mark, created_at) select n::text, $1 from generate_series(1, 2500) n", [
    new Date(NOW.getTime() - 31 * DAY),
  ]);
  await app.sql("insert into presses (mark, created_at) values ('fresh', $1)", [NOW]);
  await app.sql(`create function refuse_many() returns trigger language plpgsql as $$ begin
    if (select count(*) from deleted) > 1000 then raise 'too many rows'; end if; return null; end $$`);
  await app.sql(`create trigger refuse_many after delete on presses referencing old table as deleted
    for each statement execute function refuse_many()`);
  const failing = withHidden(app, "table", "known_devices", () => housekeeping(app.context));
  await expect(failing).rejects.toThrow('"known_devices" does not exist');
  expect(await app.sql("select mark from presses")).toEqual([{ mark: "fresh" }]);
});

/** Columns of a table with the values of a row from the time `at`, and the ages of a deleted and of a kept row. */
const ROWS: [table: string, columns: string, values: string, deletedAge: number, keptAge?: number][] = [
  ["known_devices", "account_id, device_hash, last_day", "$2, at::text::bytea, at", 181 * DAY, 180 * DAY],
  ["sign_in_challenges", "id, account_id, secret_hash, expires_at", "gen_random_uuid(), $2, '', at", SECOND],
  [
    "sessions",
    "id, account_id, secret_hash, created_at, seen_at, expires_at",
    "gen_random_uuid(), $2, '', at, '2026-03-02', at",
    SECOND,
  ],
  [
    "sessions",
    "id, account_id, secret_hash, created_at, seen_at, expires_at",
    "gen_random_uuid(), $2, '', at, at, 'infinity'",
    7 * DAY + SECOND,
  ],
  [
    "mailed_links",
    "id, purpose, email, token_hash, expires_at",
    "gen_random_uuid(), 'recover', '', at::text::bytea, at",
    SECOND,
  ],
  [
    "pending_registrations",
    "id, token_hash, browser_hash, email, full_name, password_hash, user_type, consent_version, created_at, expires_at",
    "gen_random_uuid(), at::text::bytea, '', '', '', '', 'user', '', at, at",
    SECOND,
  ],
  [
    "email_changes",
    "id, account_id, old_email, new_email, token_hash, undo_hash, created_at, confirmed_at, expires_at",
    "gen_random_uuid(), $2, '', '', at::text::bytea, at::text::bytea, at, at, at",
    SECOND,
  ],
  ["mailbox_sends", "id, mailbox, kind, allowed_at", "gen_random_uuid(), '', '', at", DAY + SECOND],
  ["rate_limits", "key, expire", "at, extract(epoch from at) * 1000", SECOND],
  ["presses", "mark, created_at", "at, at", 30 * DAY + SECOND],
  ["deleted_account_emails", "id, email, created_at", "gen_random_uuid(), '', at", 7 * DAY + SECOND],
  [
    "removed_consultations",
    "decision_id, consultation_id, removed_at, rows",
    "gen_random_uuid(), gen_random_uuid(), at, '{}'",
    76 * SECOND,
  ],
  ["deleted_replies", "id, response_id, user_id, created_at", "gen_random_uuid(), $2, $2, at", DAY + SECOND],
  ["profile_views", "psychologist_id, viewed_on, viewer_hash", "$2, at, ''", 2 * DAY, DAY],
  [
    "webhook_events",
    "provider, event_id, resource_type, resource_id, received_at, done_at",
    "'paypal', at, '', '', at, at",
    60 * DAY + SECOND,
  ],
];

test.each(ROWS)("deletes rows of %s when they expire (%s)", async (table, columns, values, deletedAge, keptAge) => {
  app.setNow(NOW);
  const { id } = await app.person({ type: "psychologist" });
  await app.sql(`delete from ${table}`);
  const rows = () => app.sql(`select * from ${table}`);
  const insert = (age: number) =>
    app.sql(
      `insert into ${table} (${columns}) select ${values} from (select $1::timestamptz) time (at) where $2::uuid is not null`,
      [new Date(NOW.getTime() - age), id],
    );
  await insert(keptAge ?? deletedAge - 2 * SECOND);
  const kept = await rows();
  await insert(deletedAge);
  await housekeeping(app.context);
  expect(await rows()).toEqual(kept);
});

test("keeps an unhandled event of a provider", async () => {
  await app.sql("insert into webhook_events values ('paypal', 'open', '', '', null, '2020-01-01')");
  await housekeeping(app.context);
  expect(await app.sql("select event_id from webhook_events where event_id = 'open'")).toHaveLength(1);
});
