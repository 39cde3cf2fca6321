import { expect, test } from "vitest";
import { DAY } from "#shared/time.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { housekeeping } from "./housekeeping.ts";

const app = setUpTestApp();

test("deletes 2,500 expired rows in statements of at most 1,000", async () => {
  await app.sql("insert into presses (mark, created_at) select n::text, $1 from generate_series(1, 2500) n", [
    new Date(Date.now() - 31 * DAY),
  ]);
  await app.sql("insert into presses (mark, created_at) values ('fresh', now())");
  await app.sql(`create function refuse_many() returns trigger language plpgsql as $$ begin
    if (select count(*) from deleted) > 1000 then raise 'too many rows'; end if; return null; end $$`);
  await app.sql(`create trigger refuse_many after delete on presses referencing old table as deleted
    for each statement execute function refuse_many()`);
  await housekeeping(app.context);
  expect(await app.sql("select mark from presses")).toEqual([{ mark: "fresh" }]);
});
