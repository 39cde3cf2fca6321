/**
 * Reference of the benchmark: a plain server that sends stored bytes, and minimal code that runs the same SQL.
 *
 * A worker process. Several share the port like the workers of the app.
 */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import pg from "pg";

export type Pages = Record<string, { headers: OutgoingHttpHeaders; body: Buffer }>;
export type Setup = { databaseUrl: string; connections: number; pages: Pages };

const FEED = `select id, created_at, author_label, score, title, content, country, category, is_anonymous, edited_at, upvotes,
  downvotes, response_count from visible.consultations order by created_at desc, id desc limit 21`;
const UP_AND_DOWN = `count(*) filter (where vote_type = 'up')::integer as up,
  count(*) filter (where vote_type = 'down')::integer as down`;

type Row = { id: string; created_at: Date; author_label: string | null; score: number };
type Query = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

async function feed(pool: pg.Pool) {
  const { rows } = await pool.query<Row>(FEED);
  const items = rows
    .slice(0, 20)
    .map(({ score: _, ...row }) => ({ ...row, author_label: row.author_label ?? "Anónimo" }));
  const last = items.at(-1)!;
  return { items, next_cursor: Buffer.from(JSON.stringify([null, last.created_at, last.id])).toString("base64url") };
}

async function vote(query: Query, id: string, user: string, { vote }: { vote: string }) {
  await query("select id from consultations where id = $1 for update", [id]);
  await query(
    `insert into consultation_votes (consultation_id, user_id, vote_type) values ($1, $2, $3)
    on conflict on constraint consultation_votes_consultation_id_user_id_key do update set vote_type = $3`,
    [id, user, vote],
  );
  const { rows } = await query(
    `update consultations set upvotes = counted.up, downvotes = counted.down
    from (select ${UP_AND_DOWN} from consultation_votes where consultation_id = $1) counted
    where id = $1 returning upvotes, downvotes`,
    [id],
  );
  return { ...rows[0], vote };
}

async function answer(query: Query, id: string, user: string, { content }: { content: string }) {
  await query("select id from consultations where id = $1 for update", [id]);
  await query(
    `select id, is_verified, free_responses_used, max_free_responses, coalesce(gold_until > now(), false) as has_gold
    from psychologist_profiles where id = $1 for update`,
    [user],
  );
  const { rows } = await query(
    `insert into consultation_responses (consultation_id, psychologist_id, content, created_at)
    values ($1, $2, $3, $4) returning id`,
    [id, user, content, new Date()],
  );
  await query(
    `update consultations set response_count = counted.n, answers_received = answers_received + 1
    from (select count(*)::integer as n from consultation_responses where consultation_id = $1) counted where id = $1`,
    [id],
  );
  await query(
    `update psychologist_profiles set total_responses = counted.answers, total_votes = counted.votes
    from (select count(*)::integer as answers, coalesce(sum(votes), 0)::integer as votes
      from consultation_responses where psychologist_id = $1) counted where id = $1`,
    [user],
  );
  await query(
    `insert into pgboss.job (name, data, priority, start_after, retry_limit, retry_delay, retry_backoff)
    values ('mail', $1, -10, now() + interval '10 minutes', 30, 1, true)`,
    [JSON.stringify({ kind: "new_answer", consultation_id: id, mail_id: rows[0].id })],
  );
  return rows[0];
}

type Question = Record<"title" | "content" | "country" | "category", string> & { is_anonymous: boolean };

async function ask(query: Query, _id: string, user: string, input: Question) {
  const now = new Date();
  await query(
    "select weekly_consultations_used, weekly_window_started_at from profiles where id = $1 for no key update",
    [user],
  );
  await query("update profiles set weekly_consultations_used = 1, weekly_window_started_at = $2 where id = $1", [
    user,
    now,
  ]);
  const { rows } = await query(
    `insert into consultations (title, content, country, category, is_anonymous, author_name, notify_on_answer, user_id,
      created_at) values ($1, $2, $3, $4, $5, null, false, $6, $7) returning id`,
    [input.title, input.content, input.country, input.category, input.is_anonymous, user, now],
  );
  return rows[0];
}

const WRITES = { vote, answers: answer, consultations: ask };

async function write(pool: pg.Pool, request: IncomingMessage): Promise<unknown> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const parts = request.url!.split("/");
  const run = WRITES[parts.at(-1) as keyof typeof WRITES];
  const client = await pool.connect();
  try {
    await client.query("begin");
    const user = request.headers["x-reference-user"] as string;
    const result = await run((text, values) => client.query(text, values), parts.at(-2)!, user, JSON.parse(body));
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

process.once("message", ({ databaseUrl, connections, pages }: Setup) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  const server = createServer(async (request, response) => {
    const page = pages[request.url!];
    if (page) return void response.writeHead(200, page.headers).end(page.body);
    try {
      const result = JSON.stringify(request.method === "GET" ? await feed(pool) : await write(pool, request));
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(result) };
      response.writeHead(request.method === "POST" ? 201 : 200, headers).end(result);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
  server.maxRequestsPerSocket = 1_000;
  server.listen(0, "127.0.0.1");
});
