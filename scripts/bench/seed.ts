/** Fills an empty, migrated database with copies of the demo's community. */
import { readConfig } from "#server/config.ts";
import { openClient, openDatabases } from "#server/database/handles.ts";
import { loadDemo } from "#server/demo/load.ts";

/** A user with a session. */
export type Person = { id: string; cookie: string };
/** Numbers of consultations, and of users who can ask once. */
export type Size = { rows: number; askers: number };
/** Readers vote. Askers have not asked yet: each can ask once a week. */
export type Community = Record<"readers" | "askers" | "psychologists", Person[]> & {
  /** Ids of at most 10,000 consultations. */
  consultations: string[];
  /** A consultation with a full page of 10 answers. */
  withTenAnswers: string;
};

const READERS = 2_000;
/** Secret of every session. */
const SECRET = "A".repeat(43);
const COPIED = `profiles accounts consents psychologist_profiles consultations consultation_search consultation_votes
  consultation_responses response_votes consultation_replies psychologist_reviews`.split(/\s+/);

/** Psychologists with Gold can answer often. No demo consultation has a full page of answers. */
const PREPARE = `
  update psychologist_profiles set subscription_id = null, verified_at = created_at, gold_until = 'infinity';
  create temp table busy as select id from consultations where response_count = 0 limit 1;
  insert into consultation_responses (consultation_id, psychologist_id, content)
    select busy.id, psychologist_id, content from busy, consultation_responses limit 10;
  update consultations set response_count = 10 where id in (select id from busy);
  create function pg_temp.copy(id uuid, n integer) returns uuid language sql immutable
    return overlay(overlay(md5(id::text || n) placing '4' from 13) placing 'a' from 17)::uuid;`;

const people = (askers: number) => `
  create temp table people as
    select gen_random_uuid() as id, case when n <= ${READERS} then 'readers' else 'askers' end as kind
    from generate_series(1, ${READERS + askers}) n;
  insert into profiles (id, full_name, email, user_type) select id, 'Alguien', id || '@example.com', 'user' from people;
  insert into accounts (id, password_hash, email_verified_at)
    select id, (select password_hash from accounts limit 1), now() from people;
  insert into consents (profile_id, kind, version, accepted_at)
    select people.id, consents.kind, version, now() from people, consents
    where profile_id = (select id from profiles where user_type = 'user' limit 1);
  insert into people select id, 'psychologists' from psychologist_profiles order by total_responses desc;
  insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at, password_at)
    select id, id, sha256('${SECRET}'), now(), now(), now() + interval '30 days', now() from people;`;

export async function seed(databaseUrl: string, { rows, askers }: Size): Promise<Community> {
  const { db, close } = openDatabases(databaseUrl, console.error);
  await loadDemo({ db, config: readConfig({ DEMO: "on", APP_SECRET: SECRET }), now: () => new Date() });
  await close();

  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  await client.query(PREPARE);
  // Every row refers to rows of this run, so their foreign keys need no lookup.
  await client.query("set session_replication_role = replica; set synchronous_commit = off");
  // Creating indexes is faster than filling them.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  await client.query(`drop index ${indexes.map(({ name }) => name).join(", ")}`);
  const { rows: counted } = await client.query("select count(*)::integer as number from consultations");
  const copies = Math.ceil(rows / counted[0].number) - 1;
  for (const table of COPIED) {
    // The copies' ids differ, and their times are spread over two years.
    const { rows: columns } = await client.query<{ name: string; value: string }>(
      `select column_name as name, case when data_type = 'uuid' then format('pg_temp.copy(%I, n)', column_name)
          when column_name = 'email' then 'n || email'
          when data_type like 'timestamp%' then format('%I - n * interval ''2 years'' / %s', column_name, $2::integer)
          else quote_ident(column_name) end as value
      from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table, copies],
    );
    await client.query(`insert into ${table} (${columns.map(({ name }) => name).join(", ")})
      select ${columns.map(({ value }) => value).join(", ")} from ${table}, generate_series(1, ${copies}) n`);
  }
  await client.query(`update community_counts set consultations = consultations * ${copies + 1},
    answers = answers * ${copies + 1}, psychologists = psychologists * ${copies + 1},
    verified_psychologists = verified_psychologists * ${copies + 1}`);
  await client.query(people(askers));
  await client.query("set maintenance_work_mem = '256MB'");
  for (const { definition } of indexes) await client.query(definition);
  await client.query("vacuum analyze");
  const { rows: found } = await client.query<{ people: Pick<Community, "readers" | "askers" | "psychologists"> }>(
    `select json_object_agg(kind, list) as people from (
      select kind, json_agg(json_build_object('id', id, 'cookie', 'sid=' || id || '.${SECRET}')) as list
      from people group by kind) as kinds`,
  );
  const { rows: asked } = await client.query<{ id: string }>("select id from consultations order by id limit 10000");
  const { rows: busy } = await client.query<{ id: string }>("select id from busy");
  await client.end();
  return { ...found[0]!.people, consultations: asked.map(({ id }) => id), withTenAnswers: busy[0]!.id };
}
