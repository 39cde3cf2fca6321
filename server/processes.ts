/** The processes of one node: one alone, or a primary with workers. */
import cluster from "node:cluster";

/** Number of processes of this node that serve HTTP. */
export const PROCESSES = cluster.isWorker ? Number(process.env.WORKERS) : 1;

/** True in the one process of this node that runs jobs. */
export const RUNS_JOBS = !cluster.isWorker || process.env.WORKER_NUMBER === "1";

/** Returns this process's share of a limit of the node that is counted in memory. */
export const shareOf = (limit: number): number => Math.ceil(limit / PROCESSES);
