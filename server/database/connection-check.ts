/** Checks the connections' settings and rights at the start: a pooler may drop settings (docs/decisions/0008). */
import { type Config, ConfigError } from "../config.ts";
import { openPool, PUBLIC_SETTINGS, SESSION_SETTINGS } from "./handles.ts";

const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, timezone } = SESSION_SETTINGS;
/** Settings without which requests would not end or times would be wrong. */
const NEEDED = { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, timezone };

type Found = {
  role: string;
  /** Database with the start time of its server: URLs with the same place refer to the same database. */
  place: string;
  /** Statements that set the missing settings of the connection's user. */
  missing: string[];
  unsafe: boolean;
};

/**
 * Finds settings and rights of a new connection.
 * @param unsafe SQL condition of forbidden rights
 * @throws ConfigError if it cannot connect
 */
async function find(
  name: string,
  url: string,
  settings: Record<string, string> | null,
  needed: Record<string, string> = NEEDED,
  unsafe = "false",
): Promise<Found> {
  const pool = openPool(url, "divan-start", 1, () => {}, settings);
  const query = `select current_user as role, concat(current_database(), extract(epoch from pg_postmaster_start_time())) as place,
    array(select format('alter role "%s" in database "%s" set %s = %L;', current_user, current_database(), key, value)
      from json_each_text($1) where current_setting(key) <> value) as missing, ${unsafe} as unsafe`;
  try {
    return (await pool.query(query, [JSON.stringify(needed)])).rows[0];
  } catch (error) {
    throw new ConfigError(`${name}: the database cannot be reached (${(error as Error).message}).`);
  } finally {
    await pool.end();
  }
}

function demandSettings(name: string, { missing }: Found): void {
  if (missing.length)
    throw new ConfigError(
      `${name}: connections lack settings that the pooler cannot forward. Run this on the database, then RECONNECT in the pooler's console:\n${missing.join("\n")}`,
    );
}

/**
 * Checks the connections of commands and the direct ones.
 * @throws ConfigError with the remedy
 */
export async function checkConnections(databaseUrl: string, pooler: Config["pooler"]): Promise<void> {
  const name = pooler ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  const direct = await find(name, pooler?.directUrl ?? databaseUrl, {});
  if (direct.missing.length)
    throw new ConfigError(
      `${name} ignores settings of connections, as a pooler does. ${pooler ? "It must refer to PostgreSQL itself." : "A pooler needs DATABASE_DIRECT_URL and DATABASE_PUBLIC_URL too."}`,
    );
  if (!pooler) return;
  const pooled = await find("DATABASE_URL", databaseUrl, null);
  // Otherwise the server would not receive notifications of changes.
  if (pooled.place !== direct.place)
    throw new ConfigError("DATABASE_DIRECT_URL refers to another database than DATABASE_URL.");
  demandSettings("DATABASE_URL", pooled);
}

/** True if a role has rights on a table or can become the table's owner. */
const HAS_PRIVATE_RIGHTS = `exists (
  select from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind in ('r', 'p') and nspname !~ '^pg_' and nspname <> 'information_schema'
    and relowner = (select relowner from pg_class where relname = 'consultations' and relnamespace = 'visible'::regnamespace)
    and (pg_has_role(relowner, 'member') or has_table_privilege(c.oid, 'insert, update, delete, truncate')
      or has_any_column_privilege(c.oid, 'select, insert, update')))`;

/**
 * Checks the connections of public reads after the migrations.
 * @throws ConfigError with the remedy
 */
export async function checkPublicConnections(databaseUrl: string, pooler: Config["pooler"]): Promise<void> {
  const name = pooler ? "DATABASE_PUBLIC_URL" : "DATABASE_URL";
  const url = pooler?.publicUrl ?? databaseUrl;
  const settings = pooler ? null : PUBLIC_SETTINGS;
  const needed = { ...NEEDED, search_path: PUBLIC_SETTINGS.search_path };
  const found = await find(name, url, settings, needed, HAS_PRIVATE_RIGHTS);
  if (found.unsafe)
    throw new ConfigError(
      `${name}: public reads run as "${found.role}", which can read the authors of anonymous texts. It needs a user without other rights: create role divan_reader login password '...' in role divan_public;`,
    );
  demandSettings(name, found);
}
